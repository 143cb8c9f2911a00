import Foundation
import Testing

@testable import OpenAPIGenerator

@Suite struct DriftTests {
    private static let root = URL(filePath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// `make generate` writes these files again.
    @Test func committedFilesMatchTheDocument() throws {
        let yaml = try String(contentsOf: Self.root.appending(path: "openapi.yaml"), encoding: .utf8)
        let files = try SourceGenerator.files(of: yaml, named: "openapi.yaml")
        try expectPresent(files.filter(\.isContract), in: "Sources/HeadgateContract/Generated")
        try expectPresent(files.filter { !$0.isContract }, in: "Sources/HeadgateAPI/Generated")
    }

    /// The other documents are that of `RoundTripTests`, and that of the drivers that the guard measures.
    @Test(
        arguments: [
            ("Tests/Vectors/OpenAPI/21-composed.yaml", [.types], "Tests/OpenAPIGeneratorTests/Generated"),
            ("Examples/greeting/Sources/greeting/openapi.yaml", [.types, .server], "Benchmarks/drivers/Generated"),
        ] as [(String, [GeneratorOptions.Part], String)])
    func committedCodeMatchesOtherDocuments(
        document: String, parts: [GeneratorOptions.Part], folder: String
    ) throws {
        let file = Self.root.appending(path: document)
        let files = try SourceGenerator.files(
            of: String(contentsOf: file, encoding: .utf8), named: file.lastPathComponent,
            GeneratorOptions(parts: parts, access: .public))
        try expectPresent(files, in: folder)
    }

    private func expectPresent(_ files: [GeneratedFile], in path: String) throws {
        let folder = Self.root.appending(path: path)
        let present = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        #expect(!files.isEmpty && present.filter { $0.hasSuffix(".swift") }.sorted() == files.map(\.path).sorted())
        for file in files {
            let committed = try? String(contentsOf: folder.appending(path: file.path), encoding: .utf8)
            #expect(committed == file.text, "\(file.path) differs: run `make generate`")
        }
    }
}
