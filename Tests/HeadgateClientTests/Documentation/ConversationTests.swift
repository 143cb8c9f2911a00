import Foundation
import Testing

@testable import HeadgateClient

/// The model of a view that docs/client.md shows.
@Suite(.timeLimit(.minutes(10))) @MainActor struct ConversationTests {
    private func conversation(_ transport: InMemoryTransport) throws -> Conversation {
        Conversation(session: ChatSession(client: try client(of: transport), model: "m"))
    }

    @Test func documentShowsWhatIsCompiledHere() throws {
        let folder = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
        let code = try String(contentsOf: folder.appending(path: "Conversation.swift"), encoding: .utf8)
        let document = try String(contentsOf: folder.appending(path: "../../../docs/client.md"), encoding: .utf8)
        let start = try #require(code.range(of: "@MainActor @Observable")?.lowerBound)
        #expect(document.contains(code[start...]))
    }

    @Test func catalogHoldsTheArticleThatTheDocumentLeadsTo() throws {
        let root = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
            .appending(path: "../../..").standardizedFileURL
        let document = try String(contentsOf: root.appending(path: "docs/client.md"), encoding: .utf8)
        let path = try #require(document.firstMatch(of: /\(\.\.\/(Sources\/[^)]*\.docc\/[^)]*)\.md\)/)).1
        let article = try String(contentsOf: root.appending(path: "\(path).md"), encoding: .utf8)
        #expect(article.hasPrefix("# From a hard-coded API key to Headgate in five minutes\n"))
        let name = try #require(path.split(separator: "/").last)
        let catalog = root.appending(path: "Sources/HeadgateClient/HeadgateClient.docc/HeadgateClient.md")
        #expect(try String(contentsOf: catalog, encoding: .utf8).contains("<doc:\(name)>"))
    }

    @Test func viewSeesTheAnswerAndThenTheMessages() async throws {
        let conversation = try conversation(InMemoryTransport(.words(["Hel", "lo"])))
        await conversation.send("Hi")
        #expect(conversation.messages.map(\.message.text) == ["Hi", "Hello"])
        #expect(conversation.answer == nil)
        #expect(conversation.failure == nil)
    }

    @Test func blankInputIsIgnored() async throws {
        let transport = InMemoryTransport(.words(["a"]))
        try await conversation(transport).send(" \n")
        #expect(transport.received.isEmpty)
    }

    @Test func stopKeepsThePartialAnswer() async throws {
        let conversation = try conversation(InMemoryTransport(.words(["par"], end: .stall)))
        let sending = Task { await conversation.send("Hi") }
        while conversation.answer?.content != "par" { await Task.yield() }
        conversation.stop()
        await sending.value
        #expect(conversation.messages.map(\.message.text) == ["Hi", "par"])
        #expect(conversation.messages.last?.isPartial == true)
        conversation.clear()
        #expect(conversation.messages.isEmpty)
    }

    @Test func failureIsShown() async throws {
        let conversation = try conversation(InMemoryTransport(.json(#"{"error":{"message":"no"}}"#, status: 429)))
        await conversation.send("Hi")
        #expect(conversation.failure?.contains("429") == true)
        #expect(conversation.messages.isEmpty)
    }
}
