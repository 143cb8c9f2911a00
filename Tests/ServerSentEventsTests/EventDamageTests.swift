import Testing

@testable import ServerSentEvents

@Suite struct EventDamageTests {
    private static let stream =
        ": hello {\n\nevent: a\ndata: {\"n\":1}\n\nid: {7}\ndata:{\"n\":2}\ndata: {}\n\ndata: [DONE]\n\n"

    /// Passes the text in two pieces, and returns the output and whether the stream is over.
    private func pass(_ text: String, split: Int, _ damage: EventDamage) -> (text: String, isOver: Bool) {
        var (damage, output): (EventDamage, [UInt8]) = (damage, [])
        let bytes = Array(text.utf8)
        for piece in [bytes[..<split], bytes[split...]] {
            Array(piece).withUnsafeBytes { damage.pass($0, into: &output) }
        }
        return (String(decoding: output, as: UTF8.self), damage.isOver)
    }

    private static let ends: [(Int, String)] = [
        (0, ""), (1, ": hello {\n\nevent: a\ndata: {\"n\":1}\n\n"),
        (2, ": hello {\n\nevent: a\ndata: {\"n\":1}\n\nid: {7}\ndata:{\"n\":2}\ndata: {}\n\n"), (3, stream),
    ]

    @Test(arguments: ends, ["\n", "\r\n", "\r"])
    func streamEndsAfterItsEvents(_ end: (events: Int, text: String), _ newline: String) {
        let whole = Self.stream.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: newline)
        var expected = end.text.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: newline)
        // The carriage return ends the line, and the line feed after it is not awaited.
        if newline == "\r\n", !expected.isEmpty { expected.unicodeScalars.removeLast() }
        for split in 0...whole.utf8.count {
            let passed = pass(whole, split: split, EventDamage(lastEvent: end.events))
            #expect(passed.text.utf8.elementsEqual(expected.utf8) && passed.isOver, "split at \(split)")
        }
    }

    @Test func fewerEventsAreNotEnded() {
        let passed = pass(Self.stream, split: 9, EventDamage(lastEvent: 4))
        #expect(passed.text == Self.stream && !passed.isOver)
    }

    @Test(arguments: [(1, "data: {\"n\":1}", "data: \"n\":1}"), (2, "data:{\"n\":2}", "data:\"n\":2}")])
    func oneEventLosesItsFirstBrace(_ event: Int, _ before: String, _ after: String) {
        let expected = Self.stream.replacing(before, with: after)
        for split in 0...Self.stream.utf8.count {
            #expect(pass(Self.stream, split: split, EventDamage(malformedEvent: event)).text == expected)
        }
    }

    @Test func eventWithoutABraceIsUnchanged() {
        #expect(pass(Self.stream, split: 3, EventDamage(malformedEvent: 3)).text == Self.stream)
    }

    @Test func documentIsOneEventThatNeverEnds() {
        let document = " {\"a\":{},\n\n\"data\": 1}"
        #expect(pass(document, split: 5, EventDamage(malformedEvent: 2)).text == " \"a\":{},\n\n\"data\": 1}")
        #expect(pass(document, split: 5, EventDamage(lastEvent: 1)) == (document, false))
        #expect(pass(document, split: 5, EventDamage(lastEvent: 0)) == ("", true))
    }
}
