import Foundation

/// Documents of these tests, in `Tests/Vectors/OpenAPI`.
enum Documents {
    private static let folder = URL(filePath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Vectors/OpenAPI")
    static let root = folder.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// File names, without the extension `.yaml`.
    static let accepted = names(in: folder)
    static let refused = names(in: folder.appending(path: "Refused"))

    static func text(_ name: String) throws -> String {
        let path = name.hasSuffix(".json") ? name : "\(name).yaml"
        return try String(contentsOf: folder.appending(path: path), encoding: .utf8)
    }

    static func refusedText(_ name: String) throws -> String { try text("Refused/\(name)") }

    private static func names(in folder: URL) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.hasSuffix(".yaml") || $0.hasSuffix(".json") }
            .map { $0.hasSuffix(".yaml") ? String($0.dropLast(5)) : $0 }.sorted()
    }
}
