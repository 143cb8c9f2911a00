import ArgumentParser
import HeadgateConfiguration

struct SchemaCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema", abstract: "Print the JSON Schema of the configuration file.",
        discussion:
            "For editors: save it, and begin the file with '# yaml-language-server: $schema=PATH' to get completion "
            + "and checks."
    )

    func run() { print(ConfigurationSchema.json, terminator: "") }
}
