import ArgumentParser
import HeadgateService

struct EnvCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "env",
        abstract: "Print the variables that point OpenAI's and Anthropic's clients at the gateway.",
        discussion: """
            For a shell: eval "$(headgate env)". It sets OPENAI_BASE_URL, OPENAI_API_KEY, ANTHROPIC_BASE_URL and \
            ANTHROPIC_API_KEY. Claude Code asks before it uses such a key; 'headgate run -- claude' gives it a token \
            instead.
            """)

    @OptionGroup var gateway: GatewayOptions

    func run() throws {
        try reporting {
            let address = try ProgramAddress.find(gateway, ProcessEnvironment.current)
            export("OPENAI_BASE_URL", "\(address.root)/v1")
            export("ANTHROPIC_BASE_URL", address.root)
            switch address.key {
            case .given(let key), .own(let key): printKey(key)
            case .notNeeded: printKey(ProgramAddress.anyWord)
            case .unknown:
                print(
                    "# OPENAI_API_KEY and ANTHROPIC_API_KEY: one of your own keys; the gateway knows only their "
                        + "digests")
            }
        }
    }

    private func printKey(_ key: String) {
        for name in ["OPENAI_API_KEY", "ANTHROPIC_API_KEY"] { export(name, key) }
    }

    /// Prints an assignment for `eval` in a POSIX shell, which quotes the value as one word.
    private func export(_ name: String, _ value: String) {
        print("export \(name)='\(value.replacing("'", with: "'\\''"))'")
    }
}
