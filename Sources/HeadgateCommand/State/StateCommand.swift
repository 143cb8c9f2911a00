import ArgumentParser
import HeadgateService

struct StateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "state", abstract: "Copy what gateways keep, and prepare a database for it.",
        discussion: "What gateways keep is the usage ledger and the managed keys.",
        subcommands: [CopyStateCommand.self, PrepareStateCommand.self])
}

struct CopyStateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "copy", abstract: "Copy usage and managed keys from one place to another.",
        discussion: """
            A place is a folder with usage.db and keys.db, such as ~/.local/share/headgate, or a database of \
            PostgreSQL. What is there already stays as it is, so that the command can be run again, and while \
            gateways run. A password is not written into the URL, but into PGPASSWORD or ~/.pgpass.

            Examples:
              headgate state copy ~/.local/share/headgate postgresql://headgate@db.lan/headgate
              headgate state copy postgresql://headgate@db.lan/headgate /var/backups/headgate
            """)

    @Argument(help: "Where it is.")
    var from: String

    @Argument(help: "Where it is to be, too.")
    var to: String

    func run() throws {
        try reporting {
            let transfer = try StateTransfer(from: StateLocation(from), to: StateLocation(to))
            for line in try transfer.copy(progress: { complain($0) }) { print(line) }
        }
    }
}

struct PrepareStateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "prepare", abstract: "Make the tables in a database of PostgreSQL, or bring them up to date.",
        discussion: """
            Gateways do so by themselves where their role may. Where it may not, somebody who may runs this, and \
            grants the role what docs/postgresql.md says. A password is not written into the URL, but into \
            PGPASSWORD or ~/.pgpass.
            """)

    @Argument(help: "The database; that of the configuration without it.")
    var url: String?

    @OptionGroup var options: ConfigurationOptions

    func run() throws {
        try reporting {
            let configured = url == nil ? try options.source.ledgerPlace() : nil
            print(try StateTransfer.prepare(url, or: configured))
        }
    }
}
