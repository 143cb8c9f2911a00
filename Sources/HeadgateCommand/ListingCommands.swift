import ArgumentParser
import CHeadgate
import HeadgateConfiguration
import HeadgateGateway

struct RoutesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "routes", abstract: "List the routes that the gateway serves.")

    private struct NoLog: LogSink {
        func write(_: (inout [UInt8]) -> Void) {}
    }

    func run() throws {
        let snapshot = GatewaySnapshot(upstreams: [], models: [], keys: [], limits: LimitsConfiguration())
        let log = AccessLog(format: .json, sink: NoLog(), realtime: headgate_realtime_nanoseconds)
        let gateway = Gateway(snapshot: snapshot, accessLog: log, realtime: headgate_realtime_nanoseconds)
        for route in gateway.routes {
            let padding = String(repeating: " ", count: max(1, 7 - route.method.utf8.count))
            print("\(route.method)\(padding)\(route.path)  \(route.operationID)")
        }
    }
}

struct ModelsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "models", abstract: "List the configured models and patterns with their upstreams.")

    @OptionGroup var options: ConfigurationOptions

    func run() throws {
        try reporting {
            for model in try options.load().models {
                print("\(model.name)  \(model.upstream)\(model.model.map { " as \($0)" } ?? "")")
            }
        }
    }
}

struct EnvCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "env", abstract: "Print what points OpenAI clients at the gateway, for eval \"$(headgate env)\".")

    @OptionGroup var options: ConfigurationOptions

    func run() throws {
        try reporting {
            let configuration = try options.load()
            let authentication = try ClientAuthentication(configuration, environment: ProcessEnvironment.current)
            let endpoints = ListeningEndpoints(configuration)
            guard endpoints.curlOption.isEmpty else {
                throw Complaint("the gateway listens on a Unix socket only, which no base URL can name")
            }
            print("export OPENAI_BASE_URL=\(endpoints.preferred)/v1")
            switch authentication {
            case .keyless:
                // The gateway may have been started elsewhere, with a secret that this shell does not know; a keyless one does
                // not mind a key.
                let key = try GatewayKey.load(environment: ProcessEnvironment.current)
                print("export OPENAI_API_KEY=\(key ?? "none-needed")")
            case .generated(let key, _): print("export OPENAI_API_KEY=\(key)")
            case .configured:
                print("# OPENAI_API_KEY: one of your own keys; the configuration holds only their digests")
            }
        }
    }
}
