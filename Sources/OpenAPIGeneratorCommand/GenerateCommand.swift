internal import ArgumentParser
internal import FoundationEssentials
internal import Glibc
internal import OpenAPIGenerator

/// `openapi-generator`: writes the Swift of a document, or checks that it is up to date.
@main
struct GenerateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "openapi-generator",
        abstract: "Makes Swift source of an OpenAPI 3.1 document of the subset that Headgate uses.")

    @Option(help: "The document.")
    var document: String

    @Option(help: "The folder of the table of operations and of the document; whatever else is in it is deleted.")
    var contract: String

    @Option(help: "The folder of all other files; whatever else is in it is deleted.")
    var output: String

    @Flag(help: "Write nothing; fail when the files differ from what would be written.")
    var check = false

    func run() throws {
        do {
            guard let yaml = try? String(contentsOfFile: document, encoding: .utf8) else {
                complain("\(document): cannot be read as text")
                throw ExitCode.failure
            }
            let name = document.split(separator: "/").last.map(String.init) ?? document
            let files = try SourceGenerator.files(of: yaml, named: name)
            let outputs = [
                (OutputFolder(path: contract), files.filter(\.isContract)),
                (OutputFolder(path: output), files.filter { !$0.isContract }),
            ]
            guard check else {
                for (folder, files) in outputs { try folder.write(files) }
                return
            }
            let differing = try outputs.flatMap { folder, files in try folder.differences(from: files) }
            guard differing.isEmpty else {
                complain("not what \(name) gives now: \(differing.joined(separator: ", ")); run `make generate`")
                throw ExitCode.failure
            }
        } catch let failure as GenerationFailure {
            complain(failure.description)
            throw ExitCode.failure
        }
    }

    private func complain(_ text: String) {
        let bytes = Array((text + "\n").utf8)
        _ = Glibc.write(STDERR_FILENO, bytes, bytes.count)
    }
}
