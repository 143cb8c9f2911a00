import HeadgatePrimitives
import Observation
import Testing

@testable import HeadgateClient

@Suite(.timeLimit(.minutes(10))) @MainActor struct ConversationTests {
    private func conversation(_ transport: InMemoryTransport) throws -> Conversation {
        Conversation(client: try client(of: transport), model: "m")
    }

    /// Waits until the reply has this text.
    private func wait(for text: String, in conversation: Conversation) async {
        while conversation.answer?.content != text { await Task.yield() }
    }

    private func texts(_ conversation: Conversation) -> [String] {
        conversation.messages.map { $0.message.text + ($0.isPartial ? " (partial)" : "") }
    }

    @Test func viewSeesTheAnswerAndThenTheMessages() async throws {
        let conversation = try conversation(InMemoryTransport(.words(["Hel", "lo"])))
        await conversation.send("Hi")
        #expect(texts(conversation) == ["Hi", "Hello"])
        #expect(!conversation.isAnswering && conversation.failure == nil)
    }

    @Test func blankInputIsIgnored() async throws {
        let transport = InMemoryTransport(.words(["a"]))
        try await conversation(transport).send(" \n")
        #expect(transport.received.isEmpty)
    }

    @Test func stopKeepsThePartialAnswer() async throws {
        let conversation = try conversation(InMemoryTransport(.words(["par"], end: .stall)))
        let sending = Task { await conversation.send("Hi") }
        await wait(for: "par", in: conversation)
        conversation.stop()
        #expect(texts(conversation) == ["Hi", "par (partial)"] && !conversation.isAnswering)
        await sending.value
        #expect(texts(conversation) == ["Hi", "par (partial)"])
        conversation.clear()
        #expect(conversation.messages.isEmpty)
    }

    @Test func promptDuringAReplyReplacesItAndKeepsTheReceivedPart() async throws {
        let transport = InMemoryTransport(.words(["par"], end: .stall), .words(["whole"]))
        let conversation = try conversation(transport)
        let first = Task { await conversation.send("One") }
        await wait(for: "par", in: conversation)
        await conversation.send("Two")
        await first.value
        #expect(texts(conversation) == ["One", "par (partial)", "Two", "whole"])
        #expect(!conversation.isAnswering && conversation.failure == nil)
        #expect(
            try transport.received[1].json()["messages"] == [
                ["role": "user", "content": "One"], ["role": "assistant", "content": "par"],
                ["role": "user", "content": "Two"],
            ])
        while transport.cancelled == 0 { await Task.yield() }
    }

    @Test func manyPromptsAtOnceLeaveTheLastOnesAnswer() async throws {
        let conversation = try conversation(InMemoryTransport(.words(["a", "b"])))
        let sending = (0..<20).map { index in Task { await conversation.send("\(index)") } }
        for task in sending { await task.value }
        #expect(conversation.messages.last?.message.text == "ab" && !conversation.isAnswering)
        #expect(conversation.messages.filter { $0.message.role == .assistant && !$0.isPartial }.count >= 1)
        #expect(conversation.failure == nil)
    }

    @Test func cancelledTaskStopsTheAnswer() async throws {
        let conversation = try conversation(InMemoryTransport(.words(["par"], end: .stall)))
        let sending = Task { await conversation.send("Hi") }
        await wait(for: "par", in: conversation)
        sending.cancel()
        await sending.value
        #expect(texts(conversation) == ["Hi", "par (partial)"])
        #expect(!conversation.isAnswering && conversation.failure == nil)
    }

    @Test func failureIsShownUntilTheNextPrompt() async throws {
        let refusal = PlannedResponse.json(#"{"error":{"message":"no"}}"#, status: 429)
        let conversation = try conversation(InMemoryTransport(refusal, .words(["a"])))
        await conversation.send("Hi")
        #expect((conversation.failure as? HeadgateClientError)?.apiError?.message == "no")
        #expect(conversation.messages.isEmpty && !conversation.isAnswering)
        #expect(conversation.takenBack == "Hi")
        await conversation.send("Hi")
        #expect(conversation.failure == nil && texts(conversation) == ["Hi", "a"])
        #expect(conversation.takenBack == nil)
    }

    @Test func promptStoppedBeforeItsReplyIsReturned() async throws {
        let transport = InMemoryTransport(.words([], end: .stall))
        let conversation = try conversation(transport)
        let sending = Task { await conversation.send("Hi") }
        while !conversation.isAnswering { await Task.yield() }
        conversation.stop()
        await sending.value
        #expect(conversation.takenBack == "Hi" && conversation.messages.isEmpty && conversation.failure == nil)
        conversation.clear()
        #expect(conversation.takenBack == nil)
    }

    @Test func promptOfAPartialReplyIsNotReturned() async throws {
        let conversation = try conversation(InMemoryTransport(.words(["par"], end: .fail(.truncatedBody))))
        await conversation.send("Hi")
        #expect(texts(conversation) == ["Hi", "par (partial)"] && conversation.takenBack == nil)
    }

    @Test func changesAreObserved() async throws {
        let conversation = try conversation(InMemoryTransport(.words(["a"])))
        let changes = Locked<[String]>([])
        for (name, read) in [
            ("messages", { _ = conversation.messages }), ("answer", { _ = conversation.answer }),
            ("model", { _ = conversation.model }),
        ] as [(String, () -> Void)] {
            withObservationTracking(read) { changes.withLock { $0.append(name) } }
        }
        await conversation.send("Hi")
        conversation.model = "other"
        #expect(Set(changes.withLock { $0 }) == ["messages", "answer", "model"])
    }

    @Test func usedSessionContinues() async throws {
        let session = ChatSession(
            client: try client(of: InMemoryTransport(.words(["b"]))), model: "m",
            transcript: [TranscriptEntry(id: 0, message: .user("a"))])
        #expect(texts(Conversation(session: session)) == ["a"])
    }
}
