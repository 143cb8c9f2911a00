import Foundation
import HeadgateConfiguration
import Testing

@Suite struct ExampleFilesTests {
    private static func url(_ name: String) -> URL {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("config").appendingPathComponent(name)
    }

    private static let knownKeys: Set<String> = [
        "listen", "loops", "upstreams", "models", "keys", "limits", "kind", "base_url", "api_key", "headers",
        "timeouts",
        "connect", "first_byte", "silence", "upstream", "model", "name", "sha256", "expires", "body", "connections",
    ]

    /// The key that a line of the example begins with, if it is one of Headgate's own.
    private static func key(of line: String) -> String? {
        let content = line.drop { $0 == " " || $0 == "-" }
        guard !content.hasPrefix("#"), let colon = content.firstIndex(of: ":") else { return nil }
        let key = String(content[..<colon])
        return knownKeys.contains(key) ? key : nil
    }

    @Test func theMinimalFileLoadsWithAnEmptyEnvironment() throws {
        let configuration = try Configuration.load(path: Self.url("headgate.yaml").path, environment: [:])
        #expect(configuration == (try Configuration.fromEnvironment([:])))
    }

    @Test func theExampleLoadsWithAKey() throws {
        let path = Self.url("headgate.example.yaml").path
        let configuration = try Configuration.load(path: path, environment: ["OPENAI_API_KEY": "sk-1"])
        #expect(configuration.upstreams.map(\.name) == ["openai", "local", "sock", "device"])
        #expect(configuration.keys[0].expires == 1_798_761_600)
        #expect(throws: ConfigurationError.self) { try Configuration.load(path: path, environment: [:]) }
    }

    @Test func theExampleShowsEveryKeyAndEachMisspellingIsFoundAtItsLine() throws {
        let text = try String(contentsOf: Self.url("headgate.example.yaml"), encoding: .utf8)
        let lines = text.components(separatedBy: "\n")
        var shown: Set<String> = []
        for (index, line) in lines.enumerated() {
            guard let key = Self.key(of: line), let range = line.range(of: key) else { continue }
            shown.insert(key)
            var changed = lines
            changed[index].replaceSubrange(range, with: key + "x")
            let column = line.distance(from: line.startIndex, to: range.lowerBound) + 1
            let found = issues(changed.joined(separator: "\n"), environment: ["OPENAI_API_KEY": "sk-1"])
            #expect(
                found == [
                    "t.yaml:\(index + 1):\(column): error: unknown key \"\(key)x\": did you mean \"\(key)\"?"
                ])
        }
        #expect(shown == Self.knownKeys)
    }
}
