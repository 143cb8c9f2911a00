import ArgumentParser
import HeadgateService
import HeadgateTerminal

struct BackupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Write what the gateway stores into one file.",
        discussion: """
            Usage, managed keys and stored responses, as they are at one instant; the gateway can go on running. The \
            file is a tar of SQLite databases that only you can read. It holds prompts and answers if responses are \
            stored. What is in PostgreSQL is backed up with its own tools.
            """)

    @Argument(help: "The file to write; it must not exist.", completion: .file(extensions: ["tar"]))
    var file: String

    @OptionGroup var options: ConfigurationOptions

    func run() throws {
        try reporting {
            let names = try options.backup().write(to: file)
            complain("headgate: wrote \(Neutralised.line(file)) (\(names.joined(separator: ", ")))")
            complain("To put it back: headgate restore \(file.asShellWord)")
        }
    }
}

struct RestoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Put back what 'headgate backup' wrote.",
        discussion: """
            Stop the gateway first: the command refuses files that a gateway has open. It checks the whole backup \
            before it changes anything.
            """)

    @Argument(help: "The file of 'headgate backup'.", completion: .file(extensions: ["tar"]))
    var file: String

    @Flag(help: "Move files that are there aside, to names that end in .before.")
    var force = false

    @OptionGroup var options: ConfigurationOptions

    func run() throws {
        try reporting {
            for path in try options.backup().restore(from: file, replacing: force) {
                complain("headgate: restored \(Neutralised.line(path))")
            }
        }
    }
}

extension ConfigurationOptions {
    fileprivate func backup() throws -> Backup {
        try Backup(source.ledgerPlace(), source.loadWithoutSecrets(), ProcessEnvironment.current)
    }
}
