import ArgumentParser
import HeadgateConfiguration
import HeadgateService
import HeadgateTerminal

struct ImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Make a configuration from that of another gateway.",
        subcommands: [ImportLiteLLMCommand.self])
}

struct ImportLiteLLMCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "litellm", abstract: "Make a configuration from LiteLLM's config.yaml.",
        discussion: """
            Carries over the models with their providers, addresses, keys by reference, shares, limits and timeouts, \
            fallbacks, retries and how targets are chosen. What has no counterpart is listed with its line, on \
            standard error and as comments in what is written. A secret that stands in the clear is not copied: a \
            variable takes its place, and is named.

            Exits 78 when what was written still needs work by hand, with the places.

            Examples:
              headgate import litellm config.yaml
              headgate import litellm config.yaml --output ~/.config/headgate/headgate.yaml
            """)

    @Argument(help: "LiteLLM's file.", completion: .file(extensions: ["yaml", "yml"]))
    var file: String

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("Where to write; default: standard output.", valueName: "path"),
        completion: .file(extensions: ["yaml", "yml"]))
    var output: String?

    @Flag(help: "Replace the file that is there.")
    var force = false

    func run() throws {
        try reporting {
            if let output, !force { try NewFile.checkAbsent(output) }
            let imported = try issues { () throws(ConfigurationError) in try LiteLLMImport(path: file) }
            for note in imported.notes { complain(Neutralised.line(note.description)) }
            if let output {
                try NewFile.write(imported.text, to: output, replacing: force)
                complain("headgate: wrote \(Neutralised.line(output)); look through it, then:")
                complain("  headgate check --config \(Neutralised.line(output.asShellWord))")
            } else {
                print(imported.text, terminator: "")
            }
            try issues { () throws(ConfigurationError) in try imported.check() }
        }
    }

    private func issues<Value>(_ body: () throws(ConfigurationError) -> Value) throws -> Value {
        do throws(ConfigurationError) {
            return try body()
        } catch {
            throw Complaint(error.issues.map(\.description).joined(separator: "\n"), exitCode: .configuration)
        }
    }
}
