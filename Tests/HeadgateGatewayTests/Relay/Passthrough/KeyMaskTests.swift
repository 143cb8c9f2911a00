import HTTPTypes
import HeadgateHTTP
import Testing

@testable import HeadgateRelay

@Suite struct KeyMaskTests {
    private let source = ManualBody()
    private let client = CollectedBody()

    private func start(_ keys: String...) -> KeyMask {
        let mask = KeyMask(source, keys: keys.map { Array($0.utf8) })
        mask.start(client)
        return mask
    }

    private static let text = "a sk-12345678, sk-sk-12345678 and sk-1234"
    private static let masked = "a ***********, sk-*********** and sk-1234"

    @Test(arguments: 0...text.utf8.count) func keyIsCoveredWhereverAChunkEnds(_ cut: Int) {
        let mask = start("sk-12345678")
        source.send(String(Self.text.prefix(cut)))
        source.send(String(Self.text.dropFirst(cut)))
        source.finish()
        withExtendedLifetime(mask) { #expect(client.text == Self.masked && client.ends == ["complete"]) }
    }

    @Test func onlyWhatCanBeginAKeyWaits() {
        let mask = start("sk-12345678", "tok-12345678")
        for (chunk, text) in [
            ("abc", "abc"), ("d sk", "abcd "), ("i", "abcd ski"), (" tok-1234567", "abcd ski "), ("8", nil),
            (" sk-12345678", nil),
        ] as [(String, String?)] {
            source.send(chunk)
            if let text { #expect(client.text == text) }
        }
        source.finish()
        withExtendedLifetime(mask) { #expect(client.text == "abcd ski ************ ***********") }
    }

    @Test func brokenBodyBringsAllThatCame() {
        let mask = start("sk-12345678")
        source.send("abc sk-1234567")
        #expect(client.text == "abc ")
        source.fail(.truncatedBody)
        withExtendedLifetime(mask) { #expect(client.text == "abc sk-1234567" && client.ends == ["failed"]) }
    }

    @Test func headerWithAKeyIsRemoved() throws {
        var fields: HTTPFields = [.location: "https://h/?key=sk-12345678", .server: "sk-1234567"]
        KeyMask.clean(&fields, of: [Array("sk-12345678".utf8)])
        #expect(fields == [.server: "sk-1234567"])
    }
}
