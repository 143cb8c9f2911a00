import HTTPTypes
import HeadgateHTTP
import Testing

@testable import HeadgateClient

/// A stream as some server sends it, and its expected result.
struct StreamShape: Sendable, CustomTestStringConvertible {
    let name: String
    let text: String
    var choices = 1
    var end = PlannedResponse.End.complete
    /// All pieces, written as `index:text`, followed by the finish reason.
    let pieces: [String]
    var error: String?

    var testDescription: String { name }

    static let all: [StreamShape] = [
        StreamShape(
            name: "plain", text: Events.delta("Hel") + Events.delta("lo") + Events.stop() + Events.done,
            pieces: ["0:Hel", "0:lo", "0: stop"]),
        StreamShape(
            name: "role only, empty and null deltas",
            text: Events.chunk(#"{"role":"assistant","content":"","refusal":null}"#) + Events.chunk("{}")
                + Events.chunk("null") + Events.chunk(#"{"content":null}"#) + Events.delta("a") + Events.stop()
                + Events.done,
            pieces: ["0:", "0:", "0:", "0:", "0:a", "0: stop"]),
        StreamShape(
            name: "CRLF, comments and a byte order mark",
            text: "\u{FEFF}: ping\r\n\r\n"
                + (Events.delta("ä€") + ": ping\n\n" + Events.stop() + Events.done).replacing("\n", with: "\r\n"),
            pieces: ["0:ä€", "0: stop"]),
        StreamShape(
            name: "CR alone", text: (Events.delta("a") + Events.stop() + Events.done).replacing("\n", with: "\r"),
            pieces: ["0:a", "0: stop"]),
        StreamShape(
            name: "usage behind the last choice",
            text: Events.delta("a") + Events.stop()
                + Events.data(#"{"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":2}}"#) + Events.done,
            pieces: ["0:a", "0: stop", "3 tokens"]),
        StreamShape(
            name: "one document over several data lines",
            text: "data: {\"choices\":\ndata: [{\"index\":0,\"delta\":{\"content\":\"a\ndata: b\"}}]}\n\n"
                + Events.stop()
                + Events.done,
            pieces: ["0:ab", "0: stop"]),
        StreamShape(
            name: "one document over several events",
            text: Events.data(#"{"choices":[{"index":0,"del"#) + Events.data(#"ta":{"content":"a b"#)
                + Events.data(#"c"}}]}"#) + Events.stop() + Events.done,
            pieces: ["0:a bc", "0: stop"]),
        StreamShape(
            name: "two answers",
            text: Events.delta("a") + Events.delta("b", index: 1) + Events.stop() + Events.stop("length", index: 1)
                + Events.done,
            choices: 2, pieces: ["0:a", "1:b", "0: stop", "1: length"]),
        StreamShape(
            name: "unknown members, a null error, whole numbers as fractions",
            text: Events.data(
                #"{"error":null,"x":{"y":[1e400]},"choices":[{"index":0,"delta":{"content":"a","z":1}}]}"#)
                + Events.stop() + Events.done,
            pieces: ["0:a", "0: stop"]),
        StreamShape(
            name: "no end marker, but finished", text: Events.delta("a") + Events.stop(), pieces: ["0:a", "0: stop"]),
        StreamShape(
            name: "end marker without its blank line", text: Events.delta("a") + "data: [DONE]", pieces: ["0:a"]),
        StreamShape(
            name: "finished, then reset", text: Events.delta("a") + Events.stop(), end: .fail(.truncatedBody),
            pieces: ["0:a", "0: stop"]),
        StreamShape(
            name: "data behind the end marker", text: Events.delta("a") + Events.done + "data: {", pieces: ["0:a"]),
        StreamShape(
            name: "broken JSON behind the end marker", text: Events.delta("a") + Events.done + "data: }\n\n",
            pieces: ["0:a"]),
        StreamShape(
            name: "empty finish reasons",
            text: Events.chunk(#"{"content":"a"}"#, finish: "") + Events.stop("") + Events.done,
            pieces: ["0:a", "0:"]),
        // These must never be accepted as a whole response.
        StreamShape(name: "empty", text: "", pieces: [], error: "streamTruncated"),
        StreamShape(
            name: "cut between events", text: Events.delta("a"), pieces: ["0:a"], error: "streamTruncated"),
        StreamShape(
            name: "cut behind an empty finish reason", text: Events.chunk(#"{"content":"a"}"#, finish: ""),
            pieces: ["0:a"],
            error: "streamTruncated"),
        StreamShape(
            name: "cut inside an event", text: Events.delta("a") + "data: {\"choices\":[{\"in", pieces: ["0:a"],
            error: "streamTruncated"),
        StreamShape(
            name: "cut inside a document of several events", text: Events.delta("a") + "data: {\"choices\":[\n\n",
            pieces: ["0:a"], error: "streamTruncated"),
        StreamShape(
            name: "one of two answers is cut",
            text: Events.delta("a") + Events.delta("b", index: 1) + Events.stop(),
            choices: 2, pieces: ["0:a", "1:b", "0: stop"], error: "streamTruncated"),
        StreamShape(
            name: "reset", text: Events.delta("a"), end: .fail(.truncatedBody), pieces: ["0:a"],
            error: "streamTruncated"),
        StreamShape(
            name: "silence", text: Events.delta("a"), end: .fail(.silenceTimeout), pieces: ["0:a"], error: "timedOut"),
        StreamShape(
            name: "an error in the stream",
            text: Events.delta("a") + Events.data(#"{"error":{"message":"no","type":"server_error"}}"#),
            pieces: ["0:a"], error: "streamFailed"),
        StreamShape(
            name: "an error whose message is a list",
            text: Events.delta("a") + Events.data(#"{"error":{"message":["no","never"]}}"#) + Events.done,
            pieces: ["0:a"], error: "streamFailed"),
        StreamShape(
            name: "an error that is a text", text: Events.data(#"{"error":"no"}"#), pieces: [], error: "streamFailed"),
        StreamShape(
            name: "no JSON", text: Events.delta("a") + Events.data("<html>"), pieces: ["0:a"], error: "decoding"),
        StreamShape(
            name: "end marker inside a document", text: Events.delta("a") + Events.data("{") + Events.done,
            pieces: ["0:a"], error: "decoding"),
        StreamShape(
            name: "another shape", text: Events.delta("a") + Events.data(#"{"choices":{}}"#), pieces: ["0:a"],
            error: "decoding"),
        StreamShape(
            name: "a document over too many events",
            text: Events.delta("a") + Events.data("{") + String(repeating: Events.data(" "), count: 8),
            pieces: ["0:a"], error: "decoding"),
    ]
}

@Suite(.timeLimit(.minutes(10))) struct StreamShapeTests {
    private func played(_ shape: StreamShape, _ chunks: [[UInt8]], _ style: PlannedResponse.Style) async throws
        -> Played
    {
        let transport = InMemoryTransport(PlannedResponse(chunks: chunks, end: shape.end, style: style))
        let request = ChatRequest(model: "m", messages: [], options: ChatOptions(choiceCount: shape.choices))
        return try await play(client(of: transport).chat.stream(request)) { chunk in
            guard let choice = chunk.choices.first else { return "\(chunk.usage?.totalTokens ?? 0) tokens" }
            let reason = choice.finishReason.map { " " + $0.rawValue } ?? ""
            return "\(choice.index):\(choice.delta.content ?? "")\(reason)"
        }
    }

    /// A generated image is one line of base64.
    @Test func lineOfMegabytesIsRead() async throws {
        let image = String(repeating: "A", count: 5 << 20)
        let bytes = Array((Events.delta(image) + Events.stop() + Events.done).utf8)
        let chunks = stride(from: 0, to: bytes.count, by: 1 << 16).map {
            Array(bytes[$0..<min($0 + 1 << 16, bytes.count)])
        }
        let shape = StreamShape(name: "image", text: "", pieces: [])
        let played = try await played(shape, chunks, .allCases[0])
        #expect(played.pieces == ["0:" + image, "0: stop"])
    }

    @Test(arguments: StreamShape.all, PlannedResponse.Style.allCases)
    func shapeIsUnderstoodWhole(shape: StreamShape, style: PlannedResponse.Style) async throws {
        let expected = Played(pieces: shape.pieces, error: shape.error)
        #expect(try await played(shape, [Array(shape.text.utf8)], style) == expected)
        #expect(try await played(shape, shape.text.utf8.map { [$0] }, style) == expected)
    }

    /// Returns the documents in the bytes of a shape, before any of them is decoded.
    private func documents(_ chunks: ArraySlice<UInt8>...) -> [String] {
        var documents = EventDocuments()
        var items: [String] = []
        let note = { (item: EventDocuments.Item, _: [UInt8]) in
            switch item {
            case .document(let bytes): items.append(String(decoding: bytes, as: UTF8.self))
            case .done: items.append("done")
            }
        }
        do {
            for chunk in chunks { try documents.read(Array(chunk), note) }
            try documents.finish(note)
            items.append(documents.isInsideDocument ? "inside" : "between")
        } catch {
            items.append("\(error)")
        }
        return items
    }

    @Test(arguments: StreamShape.all)
    func shapeIsTheSameAtEverySplit(shape: StreamShape) throws {
        let bytes = Array(shape.text.utf8)
        let whole = documents(bytes[...])
        for split in bytes.indices {
            try #require(documents(bytes[..<split], bytes[split...]) == whole, "split at \(split)")
        }
    }

    @Test func legacyPiecesStreamAndTheWholeTextFollows() async throws {
        let text =
            Events.data(#"{"choices":[{"text":"Once","index":0}]}"#)
            + Events.data(#"{"choices":[{"text":"","index":0}]}"#)
            + Events.data(#"{"choices":[{"text":" upon","index":0,"finish_reason":"length"}]}"#) + Events.done
        let transport = InMemoryTransport(.stream(text))
        var pieces: [String] = []
        let request = CompletionRequest(model: "m", prompt: "p")
        #expect(
            try await client(of: transport).completions.complete(request) { pieces.append($0) } == "Once upon")
        #expect(pieces == ["Once", " upon"])
        let body = try #require(try transport.received.first?.json())
        #expect(body["stream"] == true)
        #expect(body["prompt"] == "p")
        #expect(transport.received.first?.request.path == "/v1/completions")
    }

    @Test func legacyCompletionStreamsOnlyForAListener() async throws {
        let transport = InMemoryTransport(.json(#"{"choices":[{"text":"all","index":0,"finish_reason":"stop"}]}"#))
        let text = try await client(of: transport).completions.complete(CompletionRequest(model: "m", prompt: "p"))
        #expect(text == "all")
        #expect(try transport.received.first?.json()["stream"] == nil)
    }

    @Test func wholeResponseInsteadOfAStreamIsOnePiece() async throws {
        let response = #"{"id":"c","choices":[{"index":0,"message":{"role":"assistant","content":"all"}}]}"#
        let stream = try client(of: InMemoryTransport(.json(response))).chat.stream(
            ChatRequest(model: "m", prompt: "p"))
        #expect(
            try await play(stream) { $0.addedText + ($0.choices[0].finishReason?.rawValue ?? "") }.pieces == ["allstop"]
        )
        let refused = try client(of: InMemoryTransport(.json(#"{"error":{"message":"no"}}"#))).chat
            .stream(ChatRequest(model: "m", prompt: "p"))
        #expect(try await play(refused, \.addedText) == Played(error: "streamFailed"))
    }

    @Test func reasoningIsReadUnderBothNames() async throws {
        let text =
            Events.chunk(#"{"reasoning_content":"hm"}"#) + Events.chunk(#"{"reasoning":", so"}"#) + Events.stop()
            + Events.done
        let stream = try client(of: InMemoryTransport(.stream(text))).chat.stream(ChatRequest(model: "m", prompt: "p"))
        #expect(try await play(stream) { $0.choices[0].delta.reasoning ?? "" }.pieces == ["hm", ", so", ""])
    }

    @Test(arguments: PlannedResponse.Style.allCases)
    func leavingTheLoopClosesTheConnection(style: PlannedResponse.Style) async throws {
        let transport = InMemoryTransport(.stream(Events.delta("a") + Events.delta("b"), end: .stall, style: style))
        let stream = try client(of: transport).chat.stream(ChatRequest(model: "m", prompt: "p"))
        for try await text in stream.text {
            #expect(text == "a")
            break
        }
        #expect(transport.cancelled == 1)
    }

    @Test(arguments: PlannedResponse.Style.allCases)
    func cancellingTheTaskEndsTheWait(style: PlannedResponse.Style) async throws {
        let transport = InMemoryTransport(.stream(Events.delta("a"), end: .stall, style: style))
        let client = try client(of: transport)
        let (seen, signal) = AsyncStream<String>.makeStream()
        let task = Task {
            for try await text in client.chat.stream(ChatRequest(model: "m", prompt: "p")).text { signal.yield(text) }
        }
        for await _ in seen { break }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(transport.cancelled == 1)
    }

    @Test func nothingIsCancelledAfterTheEnd() async throws {
        let transport = InMemoryTransport(.words(["a"]))
        _ = try await play(client(of: transport).chat.stream(ChatRequest(model: "m", prompt: "p")), \.addedText)
        #expect(transport.cancelled == 0)
    }
}
