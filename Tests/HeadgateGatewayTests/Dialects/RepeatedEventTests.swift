import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// Events that need no parsing after their predecessor.
@Suite struct RepeatedEventTests {
    /// Returns the number of bytes of `next` that are accepted without parsing, after `first` was parsed.
    private func known(_ next: String, after first: String, publicModel: String? = nil) -> Int {
        let transform = ChatStreamTransform(options: Relayed.options(publicModel: publicModel))
        var output: [UInt8] = []
        _ = Array(first.utf8).withUnsafeBytes { transform.receive($0, into: &output) }
        return Array(next.utf8).withUnsafeBytes { transform.relayKnown($0, into: &output) }
    }

    private let first = Chunk.events(Chunk.content("Hello"))

    @Test(arguments: [nil, "org/public"]) func eventsThatDifferOnlyInTextAreKnown(_ publicModel: String?) {
        let next = Chunk.events(
            Chunk.content(","), Chunk.content("Hello"), Chunk.content(#" \"wörld\" \u00e9 and a text that is longer"#))
        #expect(known(next, after: first, publicModel: publicModel) == next.utf8.count)
    }

    /// Nothing is memoized yet, so nothing can match.
    @Test(arguments: [#""abc" x"#, #""abc""#, ": hi\n\n\"abc\" x", #"{"a":1}"#])
    func withoutAnEventNothingIsKnown(_ line: String) {
        let transform = ChatStreamTransform(options: Relayed.options())
        var output: [UInt8] = []
        let bytes = Array((line + "\n" + first).utf8)
        #expect(bytes.withUnsafeBytes { transform.relayKnown($0, into: &output) } == 0)
        #expect(output.isEmpty)
        _ = bytes.withUnsafeBytes { transform.receive($0, into: &output) }
        #expect(!String(decoding: output, as: UTF8.self).contains("abc"))
    }

    @Test func textOfALegacyCompletionIsKnown() {
        let events = ["a", "bc"].map { Chunk.events(#"{"id":"c","choices":[{"text":"\#($0)","index":0}]}"#) }
        #expect(known(events[1], after: events[0]) == events[1].utf8.count)
    }

    @Test(arguments: [
        Chunk.content(""), Chunk.content("a", index: 1), Chunk.content("a").dropLast() + " }", Chunk.stop,
        Chunk.content("\u{1}"), Chunk.content(#"\x"#), Chunk.content(#"a","x":"b"#), " " + Chunk.content("a"),
        Chunk.content("a") + " ", Chunk.usage, "[DONE]",
    ])
    func eventsThatDifferOtherwiseAreParsed(_ document: String) {
        #expect(known("data: \(document)\n\n", after: first) == 0)
    }

    @Test func incompleteOrDifferentlyFramedEventIsParsed() {
        for length in 0..<first.utf8.count { #expect(known(String(first.prefix(length)), after: first) == 0) }
        #expect(known(first.replacing("\n", with: "\r\n"), after: first) == 0)
        #expect(known("event: x\n" + first, after: first) == 0)
        #expect(known(first.dropLast() + "data: x\n\n", after: first) == 0)
    }

    @Test(arguments: [
        Chunk.content(""), Chunk.stop, Chunk.usage, #"{"choices":[{"index":0,"delta":{"role":"assistant"}}]}"#,
        #"{"choices":[{"index":0,"delta":{"content":"a"},"finish_reason":"stop"}]}"#,
        #"{"choices":[{"index":0,"delta":{"content":"a"}}],"usage":{"prompt_tokens":1}}"#,
        #"{"choices":[{"index":0,"delta":{"content":"\#(String(repeating: "a", count: 1024))"}}]}"#,
    ])
    func eventWithMoreThanTextIsNotMemoized(_ document: String) {
        #expect(known(Chunk.events(document), after: Chunk.events(document)) == 0)
    }

    @Test func modelAfterTheTextIsReplacedToo() {
        func event(_ text: String, _ model: String) -> String {
            Chunk.events(#"{"choices":[{"delta":{"content":"\#(text)"}}],"model":"\#(model)"}"#)
        }
        let relayed = Relayed.everyWay(
            event("a", "inner") + event("bcd", "inner"), options: Relayed.options(publicModel: "public"))
        #expect(relayed.text == event("a", "public") + event("bcd", "public"))
    }

    @Test func stateBetweenKnownEventsIsIndependentOfSplits() {
        let part = String(Chunk.content("held").dropLast(30))
        let rest = String(Chunk.content("held").suffix(30))
        let event = Chunk.events(Chunk.content("a"))
        for between in [
            ": ping\n\n", "id: 7\n", "event: error\n", "event: x\n", "data: \(part)\n\ndata: \(rest)\n\n", "\r",
            "\n\r\n",
            "data: \(part)\n\n", "retry: 5\n\n", "data: {\n", "\u{FEFF}", "data: [DONE]\n\n",
        ] {
            for clean in [Relayed.BodyEnd.clean, .broken] {
                _ = Relayed.everyWay(event + event + between + event + event, end: clean)
            }
        }
    }

    /// Pieces smaller than an event make the transform parse everything.
    @Test(arguments: [nil, "org/public"]) func memoizedResultsEqualFullParsing(_ publicModel: String?) {
        var outcomes: Set<String> = []
        var takenUnread = 0
        for seed in 1...4000 as ClosedRange<UInt64> {
            var stream = MutatedStream(seed: seed)
            let options = Relayed.options(publicModel: publicModel)
            let bytes = stream.bytes[...]
            let whole = Relayed([bytes], end: .clean, options: options)
            let read = Relayed(
                stride(from: 0, to: bytes.count, by: 24).map { bytes[$0..<min($0 + 24, bytes.count)] }, end: .clean,
                options: options)
            let cut = stream.cut()
            let halves = Relayed([bytes[..<cut], bytes[cut...]], end: .clean, options: options)
            #expect(whole == read && halves == read, "seed \(seed): \(String(decoding: bytes, as: UTF8.self))")
            outcomes.insert("\(read.end)")
            if read.events > 2 { takenUnread += 1 }
        }
        // The streams must end in different ways, and not too early.
        #expect(outcomes.count > 2 && takenUnread > 1000, "\(outcomes), \(takenUnread)")
    }
}

/// A stream of chunks with different texts, in which a few bytes are changed.
private struct MutatedStream {
    private(set) var bytes: [UInt8] = []
    private var generator: SeededGenerator

    init(seed: UInt64) {
        generator = SeededGenerator(state: seed)
        let shapes: [(String) -> String] = [
            { Chunk.content($0) },
            {
                #"{"choices":[{"index":0,"delta":{"role":"assistant","content":"\#($0)"},"finish_reason":null}],"model":"m"}"#
            },
            { #"{"model":"inner","choices":[{"text":"\#($0)","index":0,"finish_reason":null}],"usage":null}"# },
            { #"{"model":"inner","error":null,"choices":[{"delta":{"content":"","reasoning":"\#($0)"}}]}"# },
        ]
        let texts = ["a", " the", "", #"\n\"x\""#, "é语😀", #"\ud83d\ude00"#, String(repeating: "long ", count: 40)]
        let shape = shapes[Int(seed % 4)]
        for _ in 0..<Int.random(in: 3...6, using: &generator) {
            bytes += Array("data: \(shape(texts.randomElement(using: &generator) ?? ""))\n\n".utf8)
        }
        for _ in 0..<Int.random(in: 0...2, using: &generator) { mutate() }
        bytes += Array(Chunk.events(Chunk.stop).utf8)
    }

    mutating func cut() -> Int { Int.random(in: 0...bytes.count, using: &generator) }

    private mutating func mutate() {
        let index = Int.random(in: 0..<bytes.count, using: &generator)
        let marks = Array(#""\{}[]:,0eu "#.utf8) + [0x0A, 0x0D, 0x00, 0x80, 0xC3, 0xFF]
        let byte =
            Bool.random(using: &generator)
            ? marks.randomElement(using: &generator) ?? 0 : UInt8.random(in: 0...255, using: &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: bytes[index] = byte
        case 1: bytes.remove(at: index)
        case 2: bytes.insert(byte, at: index)
        default:
            let length = Int.random(in: 0...min(40, bytes.count - index), using: &generator)
            bytes.insert(contentsOf: Array(bytes[index..<index + length]), at: cut())
        }
    }
}
