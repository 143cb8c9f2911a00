import Foundation

/// The checkout that these tests are part of.
enum Repository {
    static let root = URL(filePath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    static let sources = swiftFiles(under: "Sources")
    static let tests = swiftFiles(under: "Tests")

    static func manifest() throws -> Manifest {
        Manifest(try String(contentsOf: root.appending(path: "Package.swift"), encoding: .utf8))
    }

    /// The names directly in a folder; empty when there is no such folder.
    static func names(in folder: String) -> [String] {
        let names = try? FileManager.default.contentsOfDirectory(atPath: root.appending(path: folder).path)
        return (names ?? []).filter { !$0.hasPrefix(".") }.sorted()
    }

    private static func swiftFiles(under folder: String) -> [SourceFile] {
        let base = root.appending(path: folder)
        let paths = FileManager.default.enumerator(atPath: base.path)?.compactMap { $0 as? String } ?? []
        return paths.filter { $0.hasSuffix(".swift") }.sorted().compactMap { path in
            let text = try? String(contentsOf: base.appending(path: path), encoding: .utf8)
            return text.map { SourceFile(path: "\(folder)/\(path)", text: $0) }
        }
    }
}
