// HeadgateCommand: the `headgate` executable. It connects the parts and handles user interaction; the libraries contain
// the behavior.

import ArgumentParser
import CHeadgate
import HeadgateRelay

@main
struct HeadgateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "headgate",
        abstract: "One local HTTP endpoint in front of every LLM you use.",
        discussion: """
            The configuration is headgate.yaml in ~/.config/headgate, else in /etc/headgate, unless --config or \
            HEADGATE_CONFIG names another; 'headgate init' writes one. Without any the gateway serves what the \
            environment names: OPENAI_API_KEY (and OPENAI_BASE_URL), ANTHROPIC_API_KEY, AZURE_OPENAI_API_KEY with \
            AZURE_OPENAI_ENDPOINT, OLLAMA_HOST; else a small model on this device that needs no account.

            Examples:
              headgate init
              headgate serve
              headgate serve --config headgate.yaml
              headgate chat "Why is the sky blue?"
              headgate run -- python my_app.py
            """,
        version: GatewayVersion.text,
        subcommands: [
            InitCommand.self, ServeCommand.self, ChatCommand.self, OpenCommand.self, SetupCommand.self,
            CheckCommand.self, ImportCommand.self, RoutesCommand.self, ModelsCommand.self, KeyCommand.self,
            BackupCommand.self, RestoreCommand.self, StateCommand.self, EnvCommand.self, RunCommand.self,
            ExplainCommand.self, DoctorCommand.self,
            UsageCommand.self, ServiceCommand.self,
            PricesCommand.self, SchemaCommand.self, ReloadCommand.self, UpgradeCommand.self, HealthCommand.self,
            VersionCommand.self,
        ],
        defaultSubcommand: ServeCommand.self)

    static func main() {
        // Must come before anything opens a descriptor.
        headgate_open_standard_streams()
        let arguments = ProcessArguments.current
        guard let serve = ServeCommand.plain(arguments) else { return main(arguments) }
        do { try serve.run() } catch { exit(withError: error) }
    }
}
