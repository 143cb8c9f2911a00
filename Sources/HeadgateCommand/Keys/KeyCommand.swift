import ArgumentParser
import HeadgateConfiguration
import HeadgateGateway
import HeadgateRelay
import HeadgateService

struct KeyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key", abstract: "Make, show and end client keys.",
        discussion: """
            'headgate key add' makes a managed key, which running gateways know; 'headgate key new' one for the \
            configuration.
            """,
        subcommands: [
            AddKeyCommand.self, ListKeysCommand.self, ShowKeyCommand.self, RotateKeyCommand.self,
            RevokeKeyCommand.self, KeyOffCommand.self, NewKeyCommand.self,
        ])
}

struct NewKeyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new", abstract: "Make a client key.",
        discussion:
            "Prints the key, once, and the line with its digest for the configuration. The key itself is kept nowhere.")

    @Option(help: "Whose key it is; the log shows it.")
    var name = "laptop"

    func run() throws {
        try reporting {
            guard ManagedKeyName.isValid(name) else { throw Complaint("a key's name is \(ManagedKeyName.expected)") }
            let key = NewKey.make()
            complain("The key, shown only now:")
            print(key)
            complain("Add to the configuration:")
            complain("keys:")
            complain("  - {name: \(name), sha256: \"\(KeyDigest(of: key.utf8).hexadecimal)\"}")
        }
    }
}

struct ShowKeyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show a managed key, or print the one that the gateway made for itself.",
        discussion:
            "With a name: what is known of that key, which is never the key itself. Without one: the key that the "
            + "gateway made for itself.")

    @Argument(help: "Whose key it is.")
    var name: String?

    @Flag(help: "Print JSON; with a name.")
    var json = false

    @OptionGroup var options: ConfigurationOptions

    func validate() throws {
        if json, name == nil { throw ValidationError("--json needs the name of a key") }
    }

    func run() throws {
        try reporting {
            if let name { return KeyPrinter(isJSON: json).print(try options.keyRegister().find(name)) }
            guard let key = try GatewayKey.load(environment: ProcessEnvironment.current) else {
                throw Complaint(
                    "no key has been made: the gateway makes one when an upstream has an api_key and 'keys:' is empty")
            }
            print(key)
        }
    }
}
