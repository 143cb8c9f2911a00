import Foundation
import HeadgateDialects
import Testing

/// One text of `Tests/Vectors/tokens.json`. The format is described beside the file.
struct CountedText: Decodable, Sendable, CustomTestStringConvertible {
    let kind: String
    let tokens: Int
    let text: String

    var testDescription: String { "\(kind): \(text.prefix(24))" }

    static let all: [CountedText] = {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let file = folder.deletingLastPathComponent().appendingPathComponent("Vectors/tokens.json")
        guard let data = try? Data(contentsOf: file) else { return [] }
        return (try? JSONDecoder().decode([CountedText].self, from: data)) ?? []
    }()
}

@Suite("An estimate of tokens")
struct TokenEstimateTests {
    @Test("is compared with enough texts") func vectors() { #expect(CountedText.all.count >= 12) }

    @Test("is within 15 % of a real tokenizer on English and on code", arguments: CountedText.all)
    func accuracy(_ counted: CountedText) {
        let estimate = TokenEstimate(counted.text).tokens
        let error = Double(estimate) / Double(counted.tokens) - 1
        #expect(abs(error) <= 0.15, "\(estimate) for \(counted.tokens)")
    }

    @Test("counts something for every text, and nothing for an empty one")
    func extremes() {
        #expect(TokenEstimate("").tokens == 0)
        for text in ["a", " ", "\n", "7", "!", "é", "漢", "🎈", "\u{0}"] { #expect(TokenEstimate(text).tokens <= 2) }
        #expect(TokenEstimate("漢字仮名交じり文").tokens >= 5)
    }

    @Test(
        "counts capitals by their length, and at least one token a word", arguments: [("AB", 1), ("ABCDEFGHIJ", 2.5)])
    func capitals(_ word: String, _ tokens: Double) {
        let text = Array(repeating: word, count: 40).joined(separator: " ")
        #expect(TokenEstimate(text).tokens == Int(tokens * 40))
    }

    @Test("of a request counts messages, calls, results, pictures and tools")
    func requests() throws {
        func count(_ members: String) throws -> Int {
            try TokenEstimate.ofMessages(Array(#"{"model":"m"\#(members)}"#.utf8))
        }
        let plain = try count(#","messages":[{"role":"user","content":"Hello there"}]"#)
        #expect((4...8).contains(plain))
        let tools = #","tools":[{"name":"look","description":"Looks.","input_schema":{"type":"object"}}]"#
        #expect(try count(#","messages":[{"role":"user","content":"Hello there"}]"# + tools) >= plain + 8)
        let source = #"{"type":"base64","media_type":"image/png","data":"AAAA"}"#
        let picture = #","messages":[{"role":"user","content":[{"type":"image","source":\#(source)}]}]"#
        #expect(try count(picture) >= 1000)
        let responses = #"{"model":"m","input":[{"role":"user","content":"Hello there"}]}"#
        #expect(try TokenEstimate.ofResponses(Array(responses.utf8)) == plain)
    }
}
