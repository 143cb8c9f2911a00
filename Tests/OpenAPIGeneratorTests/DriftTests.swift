import Foundation
import Testing

@testable import OpenAPIGenerator

@Suite struct DriftTests {
    private static let root = URL(filePath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// What differs is brought in line by `make generate`.
    @Test func committedFilesAreWhatTheDocumentGives() throws {
        let yaml = try String(contentsOf: Self.root.appending(path: "openapi.yaml"), encoding: .utf8)
        let files = try SourceGenerator.files(of: yaml, named: "openapi.yaml")
        try expectPresent(files.filter(\.isContract), in: "Sources/HeadgateContract/Generated")
        try expectPresent(files.filter { !$0.isContract }, in: "Sources/HeadgateAPI/Generated")
    }

    private func expectPresent(_ files: [GeneratedFile], in path: String) throws {
        let folder = Self.root.appending(path: path)
        let present = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        #expect(!files.isEmpty && present.filter { $0.hasSuffix(".swift") }.sorted() == files.map(\.path))
        for file in files {
            let committed = try? String(contentsOf: folder.appending(path: file.path), encoding: .utf8)
            #expect(committed == file.text, "\(file.path) differs: run `make generate`")
        }
    }
}
