import HeadgateHTTP
import HeadgatePrimitives
import Testing

@testable import HeadgateClient

@Suite(.timeLimit(.minutes(10))) struct ChatSessionTests {
    private func session(_ transport: InMemoryTransport, instructions: String? = nil) throws -> ChatSession {
        ChatSession(client: try client(of: transport), model: "m", instructions: instructions)
    }

    private func texts(_ session: ChatSession) -> [String] {
        session.transcript.map { "\($0.message.role.rawValue)\($0.isPartial ? " (partial)" : ""): \($0.message.text)" }
    }

    @Test func snapshotsAreCumulativeAndTheTranscriptGrows() async throws {
        let transport = InMemoryTransport(.words(["Hel", "lo"]))
        let session = try session(transport)
        var seen: [String] = []
        var last = ChatResponse()
        for try await response in session.streamResponse(to: "Hi") {
            seen.append(response.content)
            last = response
        }
        #expect(seen == ["Hel", "Hello", "Hello", "Hello"])
        #expect(last.isComplete)
        #expect(last.finishReason == .stop)
        #expect(texts(session) == ["user: Hi", "assistant: Hello"])
        #expect(session.transcript.map(\.id) == [0, 1])
        #expect(!session.isResponding)
    }

    @Test func deltasTogetherAreTheText() async throws {
        let session = try session(InMemoryTransport(.words(["e", "\u{301}", "", "🇫", "🇷"])))
        var pieces: [String] = []
        for try await piece in session.streamResponse(to: "Hi").deltas { pieces.append(piece) }
        #expect(pieces.map { $0.unicodeScalars.map(\.value) } == [[0x65], [0x301], [0x1F1EB], [0x1F1F7]])
        #expect(session.transcript.last?.message.text == "e\u{301}🇫🇷")
    }

    @Test func conversationContinuesWithItsInstructions() async throws {
        let transport = InMemoryTransport(.words(["one"]), .words(["two"]))
        let session = try session(transport, instructions: "Be brief.")
        #expect(try await session.respond(to: "a").content == "one")
        session.model = "other"
        #expect(try await session.respond(to: "b").content == "two")
        let body = try transport.received[1].json()
        #expect(body["model"] == "other")
        #expect(
            body["messages"] == [
                ["role": "system", "content": "Be brief."], ["role": "user", "content": "a"],
                ["role": "assistant", "content": "one"], ["role": "user", "content": "b"],
            ])
    }

    @Test func leavingAtTheThirdDeltaKeepsThePartialResponse() async throws {
        let transport = InMemoryTransport(.words(["a", "b", "c"], end: .stall), .words(["d"]))
        let session = try session(transport)
        let stream = session.streamResponse(to: "Hi")
        var count = 0
        for try await _ in stream.deltas {
            count += 1
            if count == 3 { break }
        }
        #expect(texts(session) == ["user: Hi", "assistant (partial): abc"])
        #expect(!session.isResponding)
        #expect(try await session.respond(to: "Go on.").content == "d")
        #expect(
            try transport.received[1].json()["messages"] == [
                ["role": "user", "content": "Hi"], ["role": "assistant", "content": "abc"],
                ["role": "user", "content": "Go on."],
            ])
        withExtendedLifetime(stream) {}
    }

    @Test func cancelKeepsThePartialResponseAtOnceAndEndsTheStreamWell() async throws {
        let transport = InMemoryTransport(.words(["a", "b"], end: .stall), .words(["c"]))
        let session = try session(transport)
        var last = ChatResponse()
        for try await response in session.streamResponse(to: "Hi") {
            last = response
            guard response.content == "ab" else { continue }
            session.cancel()
            #expect(texts(session) == ["user: Hi", "assistant (partial): ab"])
            #expect(!session.isResponding)
        }
        #expect(last.content == "ab")
        #expect(!last.isComplete)
        #expect(try await session.respond(to: "Go on.").isComplete)
        session.cancel()
        #expect(session.transcript.count == 4)
    }

    @Test func cancelEndsAResponseWithTheReceivedPart() async throws {
        let session = try session(InMemoryTransport(.words(["a"], end: .stall)))
        async let response = session.respond(to: "Hi")
        while !session.state.withLock({ $0.turn?.reading.givenLength == 1 }) { await Task.yield() }
        session.cancel()
        let partial = try await response
        #expect(partial.content == "a")
        #expect(!partial.isComplete)
    }

    @Test func cancellingTheRequestingTaskKeepsThePartialResponse() async throws {
        let transport = InMemoryTransport(.words(["a"], end: .stall))
        let session = try session(transport)
        let task = Task { try await session.respond(to: "Hi") }
        while !session.state.withLock({ $0.turn?.reading.givenLength == 1 }) { await Task.yield() }
        task.cancel()
        await #expect(throws: CancellationError.self) { _ = try await task.value }
        #expect(texts(session) == ["user: Hi", "assistant (partial): a"])
        while transport.cancelled == 0 { await Task.yield() }
    }

    @Test func unreadStreamIsCancelled() async throws {
        let session = try session(InMemoryTransport(.words(["a"])))
        do { _ = session.streamResponse(to: "Hi") }
        #expect(!session.isResponding)
        #expect(session.transcript.isEmpty)
    }

    @Test func slowReaderOfAWholeResponseKeepsOnlyWhatItHasRead() async throws {
        let transport = InMemoryTransport(.words(["a", "b", "c", "d"]))
        let session = try session(transport)
        var pieces: [String] = []
        for try await piece in session.streamResponse(to: "Hi").deltas {
            while session.state.withLock({ $0.turn?.text != "abcd" }) { await Task.yield() }
            pieces.append(piece)
            if pieces.count == 3 { session.cancel() }
        }
        #expect(pieces == ["a", "b", "c"])
        #expect(texts(session) == ["user: Hi", "assistant (partial): abc"])
    }

    @Test func stalledReaderHoldsBackTheServer() async throws {
        let size = 4 << 10
        let transport = InMemoryTransport(.words(Array(repeating: String(repeating: "x", count: size), count: 200)))
        let session = try session(transport)
        var given = 0
        for try await piece in session.streamResponse(to: "Hi").deltas {
            #expect(piece.utf8.count == size)
            given += 1
            // These yields give time to a task that does not wait.
            for _ in 0..<(given == 1 ? 2000 : 1) { await Task.yield() }
            try #require(transport.pulled <= given + UpdateQueue.highWater / size + 2)
        }
        #expect(given == 200)
    }

    @Test func earlyCancelCancelsTheRequest() async throws {
        for _ in 0..<300 {
            let transport = InMemoryTransport(.words([], end: .stall))
            let session = try session(transport)
            async let cancelling: Void = {
                while transport.received.isEmpty { await Task.yield() }
                session.cancel()
            }()
            let stream = session.streamResponse(to: "Hi")
            await cancelling
            for try await _ in stream {}
            while transport.cancelled == 0 { await Task.yield() }
        }
    }

    @Test func promptIsRemovedIfNothingArrived() async throws {
        let transport = InMemoryTransport(.json(#"{"error":{"message":"no"}}"#, status: 401), .words(["a"]))
        let session = try session(transport)
        await #expect { _ = try await session.respond(to: "Hi") } throws: { error in
            (error as? HeadgateClientError)?.apiError?.message == "no"
        }
        #expect(session.transcript.isEmpty)
        #expect(try await session.respond(to: "Hi").content == "a")
        #expect(texts(session) == ["user: Hi", "assistant: a"])
    }

    @Test func brokenStreamIsReportedAndKeepsThePartialResponse() async throws {
        let session = try session(InMemoryTransport(.words(["a"], end: .fail(.truncatedBody))))
        var seen: [String] = []
        do {
            for try await response in session.streamResponse(to: "Hi") { seen.append(response.content) }
            Issue.record("no error")
        } catch HeadgateClientError.streamTruncated(let cause) {
            #expect(cause == TransportError(.truncatedBody))
        }
        #expect(seen == ["a"])
        #expect(texts(session) == ["user: Hi", "assistant (partial): a"])
        #expect(!session.isResponding)
    }

    @Test func secondResponseAtTheSameTimeIsRefused() async throws {
        let session = try session(InMemoryTransport(.words(["a"], end: .stall)))
        let first = session.streamResponse(to: "Hi")
        #expect(session.isResponding)
        await #expect { _ = try await session.respond(to: "Ho") } throws: { error in
            (error as? HeadgateClientError)?.kind == "alreadyResponding"
        }
        #expect(session.isResponding)
        #expect(texts(session) == ["user: Hi"])
        withExtendedLifetime(first) {}
    }

    @Test func clearStartsANewConversation() async throws {
        let transport = InMemoryTransport(.words(["a"], end: .stall), .words(["b"]))
        let session = try session(transport, instructions: "Be brief.")
        for try await _ in session.streamResponse(to: "Hi") { session.clear() }
        #expect(session.transcript.isEmpty)
        _ = try await session.respond(to: "Ho")
        #expect(texts(session) == ["user: Ho", "assistant: b"])
        #expect(
            try transport.received[1].json()["messages"] == [
                ["role": "system", "content": "Be brief."], ["role": "user", "content": "Ho"],
            ])
    }

    @Test func reasoningIsStoredButNotSent() async throws {
        let text = Events.chunk(#"{"reasoning_content":"hm"}"#) + Events.delta("a") + Events.stop() + Events.done
        let transport = InMemoryTransport(.stream(text), .words(["b"]))
        let session = try session(transport)
        #expect(try await session.respond(to: "Hi").reasoning == "hm")
        #expect(session.transcript.last?.message.reasoning == "hm")
        _ = try await session.respond(to: "Ho")
        #expect(!transport.received[1].text.contains("hm"))
    }

    @Test func refusalIsReturnedAndReported() async throws {
        let text = Events.chunk(#"{"refusal":"I can't "}"#) + Events.chunk(#"{"refusal":"do that."}"#)
        let transport = InMemoryTransport(.stream(text + Events.stop() + Events.done), .words(["b"]))
        let session = try session(transport)
        let response = try await session.respond(to: "Hi")
        #expect(response.refusal == "I can't do that." && response.content.isEmpty && response.isComplete)
        #expect(texts(session) == ["user: Hi", "assistant: I can't do that."])
        _ = try await session.respond(to: "Ho")
        #expect(transport.received[1].text.contains("I can't do that."))
        let whole =
            #"{"choices":[{"message":{"role":"assistant","content":null,"refusal":"No."},"finish_reason":"stop"}]}"#
        #expect(try await self.session(InMemoryTransport(.json(whole))).respond(to: "Hi").refusal == "No.")
    }

    @Test func truncatedRefusalKeepsItsReceivedPart() async throws {
        let pieces = [#"{"refusal":"I can't "}"#, #"{"refusal":"do that."}"#].map { Array(Events.chunk($0).utf8) }
        let stalled = try session(InMemoryTransport(PlannedResponse(chunks: pieces, end: .stall), .words(["b"])))
        for try await response in stalled.streamResponse(to: "Hi") {
            while stalled.state.withLock({ $0.turn?.refusal != "I can't do that." }) { await Task.yield() }
            #expect(response.refusal == "I can't ")
            break
        }
        #expect(texts(stalled) == ["user: Hi", "assistant (partial): I can't "])
        #expect(try await stalled.respond(to: "Ho").content == "b")
        let broken = try session(InMemoryTransport(PlannedResponse(chunks: pieces, end: .fail(.truncatedBody))))
        await #expect(throws: HeadgateClientError.self) { _ = try await broken.respond(to: "Hi") }
        #expect(texts(broken) == ["user: Hi", "assistant (partial): I can't do that."])
    }

    @Test func savedTranscriptContinues() async throws {
        let session = try session(InMemoryTransport(.words(["a"])))
        _ = try await session.respond(to: "Hi")
        let saved = try JSONCoding.encode(session.transcript)
        let transport = InMemoryTransport(.words(["b"]))
        let continued = ChatSession(
            client: try client(of: transport), model: "m",
            transcript: try JSONCoding.decode([TranscriptEntry].self, from: saved))
        #expect(continued.transcript == session.transcript)
        _ = try await continued.respond(to: "Ho")
        #expect(continued.transcript.map(\.id) == [0, 1, 2, 3])
        #expect(
            try transport.received[0].json()["messages"] == [
                ["role": "user", "content": "Hi"], ["role": "assistant", "content": "a"],
                ["role": "user", "content": "Ho"],
            ])
    }
}
