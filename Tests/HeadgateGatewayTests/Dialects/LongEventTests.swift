import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// Events that would take too long to parse. They end their stream, because other requests wait while an event is
/// parsed.
@Suite struct LongEventTests {
    private func code(_ piece: String, _ opening: String, _ closing: String, size: Int) -> String? {
        let content = String(repeating: piece, count: size / piece.utf8.count)
        let event = #"{"choices":[{"index":0,"delta":{"content":\#(opening)\#(content)\#(closing)}}]}"#
        return Relayed.atOnce("data: \(event)\n\n").code
    }

    @Test(arguments: [("0,", "[", "0]"), (#"\n"#, "\"", "\""), (#"{"":0},"#, "[", "0]"), ("é", "\"", "\"")])
    func longEventWithManySmallPartsEndsItsStream(_ piece: String, _ opening: String, _ closing: String) {
        #expect(code(piece, opening, closing, size: 5 << 20) == "upstream_oversize_event")
    }

    @Test(arguments: [("0,", "[", "0]"), (#"\n"#, "\"", "\""), ("é", "\"", "\"")])
    func shorterEventCanContainAnything(_ piece: String, _ opening: String, _ closing: String) {
        #expect(code(piece, opening, closing, size: 1 << 19) == nil)
    }
}
