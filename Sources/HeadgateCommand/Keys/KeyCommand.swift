import ArgumentParser
import HeadgateConfiguration
import HeadgateGateway
import HeadgateService

struct KeyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key", abstract: "Make and show client keys.",
        subcommands: [NewKeyCommand.self, ShowKeyCommand.self])
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
            let allowed = name.utf8.allSatisfy {
                ($0 | 0x20) &- 0x61 < 26 || $0 &- 0x30 < 10 || $0 == 0x2D || $0 == 0x2E || $0 == 0x5F
            }
            guard allowed, !name.isEmpty else { throw Complaint("a key's name is letters, digits, '.', '_' and '-'") }
            let key = try GatewayKey.make()
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
        commandName: "show", abstract: "Print the client key that the gateway made for itself.")

    func run() throws {
        try reporting {
            guard let key = try GatewayKey.load(environment: ProcessEnvironment.current) else {
                throw Complaint(
                    "no key has been made: the gateway makes one when an upstream has an api_key and 'keys:' is empty")
            }
            print(key)
        }
    }
}
