import ArgumentParser
import HeadgateConfiguration
import HeadgateRelay
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
            fallbacks, retries and how targets are chosen. Clients keep LiteLLM's master key: its digest becomes a \
            client's key. What has no counterpart is listed with its line and what to do, on standard error and as \
            comments in what is written. A secret that stands in the clear is not copied: a variable takes its place, \
            and is named.

            Exits 78 if a model was left out, or if what was written still needs work by hand, with the places.

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
            let imported = try issues { () throws(ConfigurationError) in
                try LiteLLMImport(path: file, environment: ProcessEnvironment.current) { key in
                    KeyDigest(of: key.utf8).hexadecimal
                }
            }
            for note in imported.notes { complain(Neutralised.line(note.description)) }
            if let output {
                try NewFile.write(imported.text, to: output, replacing: force)
                complain("headgate: wrote \(Neutralised.line(output)); look through it, then:")
                complain("  headgate check --config \(Neutralised.line(output.asShellWord))")
            } else {
                print(imported.text, terminator: "")
            }
            try issues { () throws(ConfigurationError) in try imported.check() }
            if imported.leftOut > 0 {
                let models = imported.leftOut == 1 ? "1 entry" : "\(imported.leftOut) entries"
                throw Complaint(
                    "\(models) of model_list left out: add what the notes above say", exitCode: .configuration)
            }
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
