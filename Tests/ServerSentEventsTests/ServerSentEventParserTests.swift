import ServerSentEvents
import Testing

@Suite struct ServerSentEventParserTests {
    @Test func dataLineWholeInItsChunkIsNotCopied() throws {
        let chunk = Array("data: one\n\ndata:two\r\n\r\n".utf8)
        var offsets: [Int] = []
        var parser = ServerSentEventParser()
        try chunk.withUnsafeBytes { bytes in
            try parser.parse(bytes) { view in
                offsets.append(try #require(view.data.baseAddress) - (try #require(bytes.baseAddress)))
            }
        }
        #expect(offsets == [6, 16])
    }

    /// The beginning of the mark is a line of its own, and the following line is read.
    @Test(arguments: [[[0xEF]], [[0xEF, 0xBB]], [[0xEF], [0xBB]]] as [[[UInt8]]])
    func beginningOfAByteOrderMarkIsALine(_ beginning: [[UInt8]]) throws {
        var seen: [String] = []
        var parser = ServerSentEventParser()
        for chunk in beginning + [Array("\ndata: a\n\n".utf8)] {
            try chunk.withUnsafeBytes { bytes in
                try parser.parse(bytes) { view in seen.append(String(decoding: view.data, as: UTF8.self)) }
            }
        }
        #expect(seen == ["a"])
    }

    @Test func eventsHandledByTheCallerAreNotDelivered() throws {
        let chunk = Array("data: a\n\ndata: b\n\ndata: c\r\n\r\n\ndata: d\n\nda".utf8)
        var seen: [String] = []
        var parser = ServerSentEventParser()
        try chunk.withUnsafeBytes { bytes in
            try parser.parse(bytes) { rest in
                rest.starts(with: "data: b\n\n".utf8) ? 9 : 0
            } _: { view in
                seen.append(String(decoding: view.data, as: UTF8.self))
            }
        }
        #expect(seen == ["a", "c", "d"])
    }

    /// The callback receives the rest of the chunk, starting with the next event.
    @Test func callbackReceivesTheRestOfTheChunk() throws {
        var rests: [String] = []
        var parser = ServerSentEventParser()
        let chunk = Array("\u{FEFF}data: a\n\ndata: b\n\n".utf8)
        try chunk.withUnsafeBytes { bytes in
            try parser.parse(bytes) { rest in
                rests.append(String(decoding: rest, as: UTF8.self))
                return 0
            } _: { _ in
            }
        }
        #expect(rests == ["data: a\n\ndata: b\n\n", "data: b\n\n", ""])
    }

    @Test(arguments: [
        ("", true), ("\u{FEFF}", true), ("d", false), ("data: a\n", false), ("data: a\n\n", true),
        ("data: a\n\r", false), ("event: x\n", false), ("id: 1\n", false), ("id: 1\n\n", true), (": x\n", true),
        ("retry: 1\n", true), ("data: a\n\n:", false),
    ]) func eventsAreSkippedOnlyAtTheirBeginning(_ input: String, _ isBetween: Bool) throws {
        var parser = ServerSentEventParser()
        try parse(&parser, input) { _ in }
        var wasAsked = false
        try Array("x".utf8).withUnsafeBytes { bytes in
            try parser.parse(bytes) { _ in
                wasAsked = true
                return 0
            } _: { _ in
            }
        }
        #expect(wasAsked == isBetween)
    }

    @Test func severalDataLinesAreJoinedAndCounted() throws {
        var parser = ServerSentEventParser()
        var counts: [Int] = []
        try parse(&parser, "data: a\nid: 7\ndata\ndata: c\n\n") { counts.append($0.dataLineCount) }
        #expect(counts == [3])
        #expect(try events("data: a\nid: 7\ndata\ndata: c\n\n") == [ServerSentEvent(data: "a\n\nc", id: "7")])
    }

    @Test func blankLineEndingInCarriageReturnDoesNotWait() throws {
        var parser = ServerSentEventParser()
        var count = 0
        try parse(&parser, "data: a\r\n\r") { _ in count += 1 }
        #expect(count == 1)
        try parse(&parser, "\ndata: b\n\n") { _ in count += 1 }
        #expect(count == 2)
    }

    @Test func nameIsRecognizedWithoutAString() throws {
        var parser = ServerSentEventParser()
        var named: [Bool] = []
        try parse(&parser, "event: error\ndata: a\n\ndata: b\n\n") {
            named += [$0.isNamed("error"), $0.isNamed("message"), $0.isNamed("err")]
        }
        #expect(named == [true, false, false, false, true, false])
    }

    @Test(arguments: ["data: [DONE]", "data: [DONE]\n", "data: [DONE]\r\n", "data: [DONE]\nid: 3"])
    func unterminatedEventIsOfferedAtTheEnd(_ stream: String) throws {
        for cut in 0...stream.utf8.count {
            var parser = ServerSentEventParser()
            var dispatched = 0
            try parse(&parser, String(stream.prefix(cut))) { _ in dispatched += 1 }
            try parse(&parser, String(stream.dropFirst(cut))) { _ in dispatched += 1 }
            #expect(dispatched == 0)
            #expect(parser.hasPendingEvent)
            var pending: [String] = []
            try parser.finish { pending.append(ServerSentEvent($0).data) }
            #expect(pending == ["[DONE]"])
        }
    }

    @Test(arguments: [("data: abc\ndata: de", 5), ("data: abc\nevent: x", 3), ("da", 0), ("data: abc\n\n", 0)])
    func onlyDataCountsAsPendingData(_ stream: String, _ bytes: Int) throws {
        var parser = ServerSentEventParser()
        try parse(&parser, stream) { _ in }
        #expect(parser.pendingDataBytes == bytes)
    }

    @Test func cleanEndHasNothingPending() throws {
        var parser = ServerSentEventParser()
        try parse(&parser, "data: a\n\n: bye\n\n") { _ in }
        #expect(!parser.hasPendingEvent)
        try parser.finish { _ in Issue.record("nothing is pending") }
    }

    @Test func nothingIsParsedAfterTheEnd() throws {
        var parser = ServerSentEventParser()
        try parser.finish { _ in }
        #expect(throws: ServerSentEventError.stopped) { try parse(&parser, "data: a\n\n") { _ in } }
    }

    @Test(arguments: [1, 7, 64])
    func lineAboveTheLimitFailsForGood(_ size: Int) throws {
        let stream = Array("data: \(String(repeating: "x", count: 60))\n\n".utf8)
        var parser = ServerSentEventParser(limits: ServerSentEventLimits(lineBytes: 65))
        let error = ServerSentEventError.lineTooLong(limit: 65)
        #expect(throws: error) { try parse(&parser, stream, size) }
        #expect(throws: error) { try parse(&parser, "data: a\n\n") { _ in Issue.record("the parser has failed") } }
    }

    @Test(arguments: [1, 7, 64])
    func lineAtTheLimitPasses(_ size: Int) throws {
        let stream = Array("data: \(String(repeating: "x", count: 60))\n\n".utf8)
        var parser = ServerSentEventParser(limits: ServerSentEventLimits(lineBytes: 66, eventBytes: 60))
        #expect(try parse(&parser, stream, size) == 1)
    }

    @Test func lineWithoutEndIsCutOffAtTheLimit() throws {
        var parser = ServerSentEventParser(limits: ServerSentEventLimits(lineBytes: 100))
        let chunk = [UInt8](repeating: UInt8(ascii: "x"), count: 60)
        #expect(try parse(&parser, chunk, 60) == 0)
        #expect(throws: ServerSentEventError.lineTooLong(limit: 100)) { try parse(&parser, chunk, 60) }
    }

    @Test(arguments: [1, 5, 4096])
    func eventAboveTheLimitFails(_ size: Int) throws {
        let limits = ServerSentEventLimits(lineBytes: 100, eventBytes: 39)
        var parser = ServerSentEventParser(limits: limits)
        let lines = String(repeating: "data: 123456789\n", count: 4)
        #expect(try parse(&parser, Array("\(lines)\n".utf8), size) == 1, "39 bytes with their separators")
        #expect(throws: ServerSentEventError.eventTooLarge(limit: 39)) {
            try parse(&parser, Array("\(lines)data\n\n".utf8), size)
        }
    }

    /// A long line that arrives in pieces becomes the event's data without a copy.
    @Test func longLineAboveTheLimitOfAnEventFails() throws {
        let limits = ServerSentEventLimits(lineBytes: 100_000, eventBytes: 70_000)
        var parser = ServerSentEventParser(limits: limits)
        let line = "data: \(String(repeating: "x", count: 70_000))"
        #expect(try parse(&parser, Array("\(line)\n\n".utf8), 30_000) == 1)
        #expect(throws: ServerSentEventError.eventTooLarge(limit: 70_000)) {
            try parse(&parser, Array("\(line)x\n\n".utf8), 30_000)
        }
    }

    /// The name of the field before the long line does not count.
    @Test func furtherLineOfALongEventCounts() throws {
        let event = Array("data: \(String(repeating: "x", count: 70_000))\ndata: y\n\n".utf8)
        var parser = ServerSentEventParser(limits: ServerSentEventLimits(lineBytes: 100_000, eventBytes: 70_002))
        #expect(try parse(&parser, event, 30_000) == 1)
        parser = ServerSentEventParser(limits: ServerSentEventLimits(lineBytes: 100_000, eventBytes: 70_001))
        #expect(throws: ServerSentEventError.eventTooLarge(limit: 70_001)) { try parse(&parser, event, 30_000) }
    }

    @Test func limitsApplyPerEventAndNotPerStream() throws {
        var parser = ServerSentEventParser(limits: ServerSentEventLimits(lineBytes: 20, eventBytes: 20))
        let stream = Array(String(repeating: "data: 1234567\ndata: 12345\n\n", count: 50).utf8)
        #expect(try parse(&parser, stream, 9) == 50)
    }

    @Test func errorOfTheCallerStopsTheParser() throws {
        struct Refusal: Error {}
        var parser = ServerSentEventParser()
        #expect(throws: Refusal.self) { try parse(&parser, "data: a\n\ndata: b\n\n") { _ in throw Refusal() } }
        #expect(throws: ServerSentEventError.stopped) { try parse(&parser, "data: c\n\n") { _ in } }
    }

    @Test func largeEventInManyChunksArrivesWhole() throws {
        let text = String(repeating: "0123456789", count: 30_000)
        var parser = ServerSentEventParser()
        var sizes: [Int] = []
        for chunk in [Array("data: \(text)\n\n".utf8), Array("data: b\n\n".utf8)] {
            for start in stride(from: 0, to: chunk.count, by: 4096) {
                try chunk[start..<min(start + 4096, chunk.count)].withUnsafeBytes { bytes in
                    try parser.parse(bytes) { sizes.append($0.data.count) }
                }
            }
        }
        #expect(sizes == [300_000, 1])
    }
}

/// Parses one chunk.
func parse(
    _ parser: inout ServerSentEventParser,
    _ chunk: String,
    _ onEvent: (ServerSentEventView) throws -> Void
) throws {
    try Array(chunk.utf8).withUnsafeBytes { try parser.parse($0, onEvent) }
}

/// Parses a stream in chunks of `size` bytes and counts its events.
@discardableResult
func parse(_ parser: inout ServerSentEventParser, _ stream: [UInt8], _ size: Int) throws -> Int {
    var count = 0
    for start in stride(from: 0, to: stream.count, by: size) {
        try stream[start..<min(start + size, stream.count)].withUnsafeBytes { bytes in
            try parser.parse(bytes) { _ in count += 1 }
        }
    }
    return count
}

func events(_ stream: String) throws -> [ServerSentEvent] {
    var parser = ServerSentEventParser()
    var events: [ServerSentEvent] = []
    try parse(&parser, stream) { events.append(ServerSentEvent($0)) }
    return events
}
