import Testing

@testable import HeadgateDialects

@Suite("A stream of any format")
struct StreamRoundTripTests {
    private static let seeds = 0..<100 as Range<UInt64>

    @Test("has the content it was written from", arguments: WireFormat.allCases)
    func oneFormat(format: WireFormat) throws {
        for seed in Self.seeds {
            let events = RandomResponse.events(seed: seed)
            let read = try Streams.read(try Streams.write(events, as: format), as: format)
            try expect(read, like: events, seed)
        }
    }

    @Test("has the same content after two translations", arguments: ConversationRoundTripTests.pairs)
    func twoFormats(client: WireFormat, upstream: WireFormat) throws {
        for seed in Self.seeds {
            let events = RandomResponse.events(seed: seed)
            let first = try Streams.write(events, as: upstream)
            let there = try Streams.translate(first, from: upstream, to: client)
            let back = try Streams.translate(there, from: client, to: upstream)
            let read = try Streams.read(back, as: upstream)
            try expect(read, like: events, seed)
        }
    }

    @Test("has the same content for every split of its deltas", arguments: ConversationRoundTripTests.pairs)
    func cuts(client: WireFormat, upstream: WireFormat) throws {
        let text = "a\"\\\n👩‍👩‍👧é"
        let arguments = #"{"a\"b":[1.50,{"c":"\u00e9😀"}]}"#
        let whole = cut(text, arguments, at: 0)
        for position in 0...arguments.unicodeScalars.count {
            let stream = try Streams.write(cut(text, arguments, at: position), as: upstream)
            let there = try Streams.translate(stream, from: upstream, to: client)
            try expect(try Streams.read(there, as: client), like: whole, UInt64(position))
        }
    }

    private func cut(_ text: String, _ arguments: String, at position: Int) -> [ResponseEvent] {
        func halves(_ text: String) -> [String] {
            let scalars = Array(text.unicodeScalars)
            let cut = min(position, scalars.count)
            return [scalars[..<cut], scalars[cut...]].map { String(String.UnicodeScalarView($0)) }
        }
        return [.started(id: nil, model: nil)]
            + halves(text).map(ResponseEvent.reasoning) + halves(text).map(ResponseEvent.text)
            + [.toolCall(index: 0, id: "c", name: "f", isCustom: false)]
            + halves(arguments).map { .toolArguments(index: 0, $0) }
            + [.usage(RandomResponse.usage), .finished(.toolCalls), .ended]
    }

    private func expect(_ events: [ResponseEvent], like original: [ResponseEvent], _ seed: UInt64) throws {
        let summary = Streams.Summary(events)
        let expected = Streams.Summary(original)
        try #require(summary == expected, "seed \(seed): \(summary) for \(expected)")
    }
}
