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

    @OptionGroup var options: ConfigurationOptions

    func run() throws {
        try reporting {
            let configuration = try options.source.load()
            let authentication = try ClientAuthentication(configuration, environment: ProcessEnvironment.current)
            let endpoints = ListeningEndpoints(configuration)
            guard endpoints.curlOption.isEmpty else {
                throw Complaint("the gateway listens on a Unix socket only, which no base URL can name")
            }
            export("OPENAI_BASE_URL", "\(endpoints.preferred)/v1")
            export("ANTHROPIC_BASE_URL", endpoints.preferred)
            switch authentication {
            case .keyless:
                // The gateway may have been started elsewhere, with a secret that this shell does not know; a keyless
                // one does not mind a key.
                let key = try GatewayKey.load(environment: ProcessEnvironment.current)
                printKey(key ?? "none-needed")
            case .generated(let key, _): printKey(key)
            case .configured(let keys):
                guard let key = GatewayKey.load(among: keys, environment: ProcessEnvironment.current) else {
                    return printOwnKeys()
                }
                printKey(key)
            case .managed: printOwnKeys()
            }
        }
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
