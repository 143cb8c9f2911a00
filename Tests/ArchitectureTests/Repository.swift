import Foundation

/// The checkout to which these tests belong.
enum Repository {
    static let root = URL(filePath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    static let sources = sourceFiles(under: "Sources")
    static let tests = sourceFiles(under: "Tests")

    /// All compiled files, including C.
    static let compiled =
        sources + tests
        + ["Sources", "Tests"].flatMap { sourceFiles(under: $0, endings: [".c", ".h"]) }
        + ["Benchmarks", "Examples"].flatMap { sourceFiles(under: $0, endings: [".swift", ".c", ".h"]) }

    static func manifest() throws -> Manifest {
        Manifest(try text("Package.swift"))
    }

    static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// Returns the names of the files and folders directly in a folder; empty if there is no such folder.
    static func names(in folder: String) -> [String] {
        let names = try? FileManager.default.contentsOfDirectory(atPath: root.appending(path: folder).path)
        return (names ?? []).filter { !$0.hasPrefix(".") }.sorted()
    }

    /// Returns files with their names without extension. Several files can have the same name.
    static func texts(under folder: String, endings: [String]) -> [(name: String, text: String)] {
        files(under: folder, endings: endings).map { path, text in
            let name = path.split(separator: "/").last ?? ""
            return (String(name.prefix { $0 != "." }), text)
        }
    }

    private static func sourceFiles(under folder: String, endings: [String] = [".swift"]) -> [SourceFile] {
        files(under: folder, endings: endings).map { SourceFile(path: $0, text: $1) }
    }

    private static func files(under folder: String, endings: [String]) -> [(path: String, text: String)] {
        let base = root.appending(path: folder)
        let paths = FileManager.default.enumerator(atPath: base.path)?.compactMap { $0 as? String } ?? []
        let visible = paths.filter { !$0.hasPrefix(".") && !$0.contains("/.") }  // a build folder begins with a dot
        return visible.filter { path in endings.contains { path.hasSuffix($0) } }.sorted().compactMap { path in
            (try? text("\(folder)/\(path)")).map { ("\(folder)/\(path)", $0) }
        }
    }
}
