import Foundation

/// The documents beside these tests.
enum Documents {
    private static let folder = URL(filePath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Vectors/OpenAPI")
    static let root = folder.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Names without `.yaml`.
    static let accepted = names(in: folder)
    static let refused = names(in: folder.appending(path: "Refused"))

    static func text(_ name: String) throws -> String {
        try String(contentsOf: folder.appending(path: "\(name).yaml"), encoding: .utf8)
    }

    static func refusedText(_ name: String) throws -> String { try text("Refused/\(name)") }

    private static func names(in folder: URL) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.hasSuffix(".yaml") }.map { String($0.dropLast(5)) }.sorted()
    }
}
