import ArgumentParser
import HeadgateConfiguration
import HeadgateEventLoop
import HeadgateHTTP
import HeadgateNetwork
import HeadgateService

struct HealthCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "health", abstract: "Ask a running gateway whether it is ready.",
        discussion: "Exits 0 when GET /readyz answers 200, else 1 with the reason. For container health checks.")

    @OptionGroup var gateway: GatewayOptions

    func run() throws {
        try reporting {
            let target = try target()
            let group = try EventLoopGroup(starting: 1)
            defer { group.stop() }
            do {
                let answer = try GatewayProbe(group: group).askReadiness(of: target)
                guard answer.status == 200 else {
                    throw Complaint("the gateway is not ready: GET /readyz answered \(answer.status)")
                }
                print("ready")
            } catch let error as TransportError {
                let reason = error.detail.isEmpty ? "nothing came within 3 s" : error.detail
                throw Complaint("the gateway does not answer: \(reason)")
            }
        }
    }

    private func target() throws -> BaseURL {
        if let url = try gateway.chosenURL(ProcessEnvironment.current) { return BaseURL(url).withoutVersion }
        let listeners = try gateway.configuration.source.loadWithoutSecrets().listeners.withEveryRoute
        guard let target = listeners.lazy.compactMap(\.localURL).first else {
            throw Complaint("every listener has TLS: give the name that the certificate is for with --url https://...")
        }
        return target
    }
}
