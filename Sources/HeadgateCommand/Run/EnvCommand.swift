import ArgumentParser
import HeadgateConfiguration
import HeadgateService

struct EnvCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "env",
        abstract: "Print what points OpenAI's and Anthropic's clients at the gateway, for eval \"$(headgate env)\".",
        discussion:
            "Sets OPENAI_BASE_URL, OPENAI_API_KEY, ANTHROPIC_BASE_URL and ANTHROPIC_API_KEY. Claude Code asks about a "
            + "key that it finds: 'headgate run -- claude' gives it a token instead.")

    @OptionGroup var gateway: GatewayOptions

    func run() throws {
        try reporting {
            let environment = ProcessEnvironment.current
            if let named = try ReachableGateway.named(gateway, environment) {
                guard let root = named.root.text else { throw EnvCommand.socketOnly }
                exportAddress(root)
                return printKey(named.key ?? "none-needed")
            }
            let configuration = try gateway.configuration.source.loadWithoutSecrets()
            let endpoints = ListeningEndpoints(configuration)
            guard endpoints.curlOption.isEmpty else { throw EnvCommand.socketOnly }
            exportAddress(endpoints.preferred)
            if let given = try gateway.givenKey(environment) { return printKey(given) }
            switch try ClientAuthentication(configuration, environment: environment) {
            case .keyless:
                // The gateway may have been started elsewhere, with a secret that this shell does not know; a keyless
                // one does not mind a key.
                printKey(try GatewayKey.load(environment: environment) ?? "none-needed")
            case .generated(let key, _): printKey(key)
            case .configured(let keys):
                guard let key = GatewayKey.load(among: keys, environment: environment) else { return printOwnKeys() }
                printKey(key)
            case .managed: printOwnKeys()
            }
        }
    }

    private static let socketOnly = Complaint(
        "the gateway listens on a Unix socket only, which no base URL can name")

    private func exportAddress(_ root: String) {
        export("OPENAI_BASE_URL", "\(root)/v1")
        export("ANTHROPIC_BASE_URL", root)
    }

    private func printKey(_ key: String) {
        for name in ["OPENAI_API_KEY", "ANTHROPIC_API_KEY"] { export(name, key) }
    }

    private func printOwnKeys() {
        print("# OPENAI_API_KEY and ANTHROPIC_API_KEY: one of your own keys; the gateway knows only their digests")
    }

    /// For `eval` by a POSIX shell: whatever stands in the value, it is one word.
    private func export(_ name: String, _ value: String) {
        print("export \(name)='\(value.replacing("'", with: "'\\''"))'")
    }
}
