internal import ArgumentParser
internal import OpenAPIGenerator

/// `openapi-generator contract`: generates the Swift code of the gateway's own document, or checks that it is up to
/// date.
struct ContractCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "contract", abstract: "Makes the Swift of Headgate's own document.", shouldDisplay: false)

    @Option(help: "The document.")
    var document: String

    @Option(help: "The folder of the table of operations and of the document; whatever else is in it is deleted.")
    var contract: String

    @Option(help: "The folder of all other files; whatever else is in it is deleted.")
    var output: String

    @Flag(help: "Write nothing; fail when the files differ from what would be written.")
    var check = false

    func run() throws {
        try Complaint.explaining {
            let name = document.split(separator: "/").last.map(String.init) ?? document
            let files = try SourceGenerator.files(of: Complaint.text(of: document), named: name)
            let outputs = [
                (OutputFolder(path: contract), files.filter(\.isContract)),
                (OutputFolder(path: output), files.filter { !$0.isContract }),
            ]
            guard check else {
                for (folder, files) in outputs { try folder.write(files, removesOthers: true) }
                return
            }
            let differing = try outputs.flatMap { folder, files in try folder.differences(from: files) }
            guard differing.isEmpty else {
                let paths = differing.joined(separator: ", ")
                throw Complaint(text: "not what \(name) gives now: \(paths); run `make generate`")
            }
        }
    }
}
