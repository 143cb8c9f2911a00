internal import ArgumentParser

/// `openapi-generator`: generates the Swift code of OpenAPI documents.
@main
struct OpenAPIGeneratorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "openapi-generator", abstract: "Makes Swift of OpenAPI documents.",
        subcommands: [GenerateCommand.self, ContractCommand.self], defaultSubcommand: GenerateCommand.self)
}
