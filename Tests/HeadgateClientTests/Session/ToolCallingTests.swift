import HeadgateHTTP
import HeadgatePrimitives
import Testing

@testable import HeadgateClient

@Suite(.timeLimit(.minutes(10))) struct ToolCallingTests {
    private struct Adder: Tool {
        struct Arguments: Decodable, Sendable {
            let a: Int
            let b: Int
        }

        let name = "add"
        let description = "Adds two numbers."
        let parameters: JSONValue = ["type": "object", "required": ["a", "b"]]

        func call(arguments: Arguments) async throws -> String { "\(arguments.a + arguments.b)" }
    }

    /// A tool that completes only when the expected number of calls run concurrently.
    private final class Meeting: Tool {
        struct Arguments: Decodable, Sendable {}

        let name = "meet"
        let description = "Waits for the other."
        let parameters: JSONValue = [:]
        private let waiting = Locked<[CheckedContinuation<Void, Never>]>([])

        func call(arguments _: Arguments) async throws -> String {
            await withCheckedContinuation { continuation in
                let both = waiting.withLock { waiting in
                    waiting.append(continuation)
                    return waiting.count == 2 ? waiting : []
                }
                for one in both { one.resume() }
            }
            return "met"
        }
    }

    private struct Broken: Tool {
        struct Arguments: Decodable, Sendable {}
        struct Failure: Error {}

        let name = "broken"
        let description = "Fails."
        let parameters: JSONValue = [:]

        func call(arguments _: Arguments) async throws -> String { throw Failure() }
    }

    private static func calling(
        _ calls: [(id: String, name: String, arguments: [String])], text: String = "", reason: String = "tool_calls"
    ) -> PlannedResponse {
        var events = text.isEmpty ? "" : Events.delta(text)
        for (index, call) in calls.enumerated() {
            events += Events.chunk(
                #"{"tool_calls":[{"index":\#(index),"id":"\#(call.id)","type":"function","function":{"name":"\#(call.name)","arguments":""}}]}"#
            )
            for piece in call.arguments {
                let text = piece.replacing("\"", with: "\\\"")
                events += Events.chunk(#"{"tool_calls":[{"index":\#(index),"function":{"arguments":"\#(text)"}}]}"#)
            }
        }
        return .stream(events + Events.stop(reason) + Events.done)
    }

    private func session(_ transport: InMemoryTransport, limit: Int = 8) throws -> ChatSession {
        ChatSession(
            client: try client(of: transport), model: "m", tools: [Adder(), Meeting(), Broken()],
            maximumToolRounds: limit)
    }

    @Test func resultsGoBackToTheModel() async throws {
        let transport = InMemoryTransport(
            Self.calling(
                [("t1", "add", [#"{"a":"#, "2,", #""b":2}"#]), ("t2", "add", [#"{"a":1,"b":5}"#])], text: "Let me see."),
            .words(["It is 4 and 6."]))
        let session = try session(transport)
        let response = try await session.respond(to: "What is 2+2 and 1+5?")
        #expect(response.content == "Let me see.\n\nIt is 4 and 6.")
        #expect(response.toolCalls.map(\.arguments) == [#"{"a":2,"b":2}"#, #"{"a":1,"b":5}"#])
        #expect(response.finishReason == .stop)
        #expect(session.transcript.map(\.message.role) == [.user, .assistant, .tool, .tool, .assistant])
        #expect(session.transcript.map(\.message.text)[2...3] == ["4", "6"])
        guard case .array(let messages)? = try transport.received[1].json()["messages"] else {
            Issue.record("no messages")
            return
        }
        let expected: JSONValue = [
            "role": "assistant", "content": "Let me see.",
            "tool_calls": [
                ["id": "t1", "type": "function", "function": ["name": "add", "arguments": #"{"a":2,"b":2}"#]],
                ["id": "t2", "type": "function", "function": ["name": "add", "arguments": #"{"a":1,"b":5}"#]],
            ],
        ]
        #expect(messages[1] == expected)
        #expect(messages[2] == ["role": "tool", "tool_call_id": "t1", "content": "4"])
        #expect(messages[3] == ["role": "tool", "tool_call_id": "t2", "content": "6"])
        #expect(try transport.received[0].json()["tools"] != nil)
    }

    @Test func textsAroundASilentRoundAreSeparate() async throws {
        let call = (id: "t1", name: "add", arguments: [#"{"a":2,"b":2}"#])
        let transport = InMemoryTransport(
            Self.calling([call], text: "Let me see."), Self.calling([call]), .words(["It is ", "4."]))
        let session = try session(transport)
        var seen: [String] = []
        for try await response in session.streamResponse(to: "Add.") where response.content != seen.last {
            seen.append(response.content)
        }
        #expect(seen == ["Let me see.", "Let me see.\n\nIt is ", "Let me see.\n\nIt is 4."])
        #expect(
            session.transcript.map(\.message.text) == ["Add.", "Let me see.", "4", "", "4", "It is 4."])
    }

    @Test(arguments: [
        (PlannedResponse.json(#"{"error":{"message":"no"}}"#, status: 500), []),
        (.words(["It"], end: .fail(.truncatedBody)), ["It"]),
    ])
    func failureAfterARoundKeepsItsResults(_ failure: PlannedResponse, _ rest: [String]) async throws {
        let transport = InMemoryTransport(
            Self.calling([("t1", "add", [#"{"a":2,"b":2}"#])]), failure, .words(["4"]))
        let session = try session(transport)
        await #expect(throws: HeadgateClientError.self) { _ = try await session.respond(to: "Add.") }
        let kept = session.transcript
        try #require(kept.prefix(3).map(\.message.role) == [.user, .assistant, .tool])
        #expect(kept[1].message.toolCalls.map(\.id) == ["t1"] && kept[2].message.text == "4")
        #expect(kept.dropFirst(3).map(\.message.text) == rest)
        #expect(!session.isResponding)
        #expect(try await session.respond(to: "Again.").content == "4")
        let messages = try transport.received[2].json()["messages"]
        guard case .array(let sent)? = messages else {
            Issue.record("no messages")
            return
        }
        #expect(sent[2] == ["role": "tool", "tool_call_id": "t1", "content": "4"])
    }

    @Test func callsOfOneRoundRunAtTheSameTime() async throws {
        let transport = InMemoryTransport(
            Self.calling([("t1", "meet", []), ("t2", "meet", ["{}"])]), .words(["done"]))
        let session = try session(transport)
        #expect(try await session.respond(to: "Meet.").content == "done")
        #expect(session.transcript.map(\.message.text)[2...3] == ["met", "met"])
    }

    @Test func modelReceivesErrorsForUnknownToolsAndBadArguments() async throws {
        let transport = InMemoryTransport(
            Self.calling([("t1", "fly", ["{}"]), ("t2", "add", [#"{"a":"x"}"#]), ("t3", "add", ["{"])]),
            .words(["sorry"]))
        let session = try session(transport)
        _ = try await session.respond(to: "Fly.")
        let results = session.transcript.filter { $0.message.role == .tool }.map(\.message.text)
        #expect(results[0] == "There is no tool 'fly'.")
        #expect(results[1].contains("at a"))
        #expect(results[2].hasPrefix("The arguments cannot be used: the JSON ends too early"))
    }

    @Test func throwingToolEndsTheResponseButNotTheConversation() async throws {
        let transport = InMemoryTransport(
            Self.calling([("t1", "broken", ["{}"])], text: "Wait."), .words(["ok"]))
        let session = try session(transport)
        do {
            _ = try await session.respond(to: "Break.")
            Issue.record("no error")
        } catch HeadgateClientError.toolFailed(let name, let error) {
            #expect(name == "broken")
            #expect(error is Broken.Failure)
        }
        // A call without its result would make every later request fail.
        #expect(session.transcript.map(\.message.text) == ["Break.", "Wait."])
        #expect(session.transcript.flatMap(\.message.toolCalls) == [])
        #expect(try await session.respond(to: "Again.").content == "ok")
    }

    @Test(arguments: ["length", "MAX_TOKENS", "content_filter", "SAFETY", "insufficient_system_resource"])
    func callsOfATruncatedResponseDoNotRun(reason: String) async throws {
        let whole = (id: "t1", name: "add", arguments: [#"{"a":2,"b":2}"#])
        let transport = InMemoryTransport(
            Self.calling([whole, (id: "t2", name: "add", arguments: [#"{"a":1"#])], text: "Wait.", reason: reason),
            .words(["ok"]))
        let session = try session(transport)
        await #expect {
            _ = try await session.respond(to: "Add.")
        } throws: { error in
            guard case HeadgateClientError.toolCallsCut(let found) = error else { return false }
            return found.rawValue == reason && "\(error)".contains("'\(reason)'")
        }
        #expect(transport.received.count == 1)
        #expect(session.transcript.map(\.message.text) == ["Add.", "Wait."])
        #expect(session.transcript.map(\.isPartial) == [false, true])
        #expect(try await session.respond(to: "Again.").content == "ok")
    }

    @Test(arguments: ["stop", "function_call", "STOP", "tool_call", "complete", "tool", ""])
    func callsOfAWholeResponseRunWhateverItsFinishReason(reason: String) async throws {
        let transport = InMemoryTransport(
            Self.calling([("t1", "add", [#"{"a":2,"b":2}"#])], reason: reason), .words(["4"]))
        let session = try session(transport)
        #expect(try await session.respond(to: "Add.").content == "4")
    }

    @Test(arguments: [("tool_calls", true), ("length", false)])
    func emptyFinishReasonChangesNothing(reason: String, runs: Bool) async throws {
        let call = #"{"tool_calls":[{"index":0,"id":"t","function":{"name":"add","arguments":"{\"a\":1,\"b\":1}"}}]}"#
        let first = Events.chunk(call, finish: "") + Events.stop(reason) + Events.stop("") + Events.done
        let transport = InMemoryTransport(.stream(first), .words(["2"]))
        let response = try? await session(transport).respond(to: "Add.")
        #expect(response?.content == (runs ? "2" : nil))
        #expect(transport.received.count == (runs ? 2 : 1))
    }

    @Test func usageIsSummedOncePerRound() async throws {
        func said(_ prompt: Int, _ completion: Int) -> String {
            Events.data(#"{"choices":[],"usage":{"prompt_tokens":\#(prompt),"completion_tokens":\#(completion)}}"#)
        }
        let call = #"{"tool_calls":[{"index":0,"id":"t","function":{"name":"add","arguments":"{\"a\":1,\"b\":1}"}}]}"#
        let first = Events.chunk(call) + said(10, 1) + said(10, 5) + Events.stop("tool_calls") + Events.done
        let second = Events.delta("2") + said(20, 1) + Events.stop() + said(20, 2) + Events.done
        let session = try session(InMemoryTransport(.stream(first), .stream(second)))
        #expect(
            try await session.respond(to: "Add.").usage == TokenUsage(promptTokens: 30, completionTokens: 7))
    }

    @Test func hugeCountsDoNotTrap() {
        let most = TokenUsage(promptTokens: .max, completionTokens: .max)
        #expect(most.totalTokens == .max)
        #expect((most + most).promptTokens == .max)
    }

    @Test func roundsAreBounded() async throws {
        let transport = InMemoryTransport(Self.calling([("t", "add", [#"{"a":1,"b":1}"#])]))
        let session = try session(transport, limit: 3)
        await #expect { _ = try await session.respond(to: "Loop.") } throws: { error in
            (error as? HeadgateClientError)?.kind == "tooManyToolRounds"
        }
        #expect(transport.received.count == 3)
        #expect(!session.isResponding)
    }

    @Test func cancellingWhileAToolRunsCancelsIt() async throws {
        let transport = InMemoryTransport(Self.calling([("t1", "wait", ["{}"])], text: "Wait."), .words(["ok"]))
        let (began, signal) = AsyncStream<Void>.makeStream()
        let (ended, end) = AsyncStream<Bool>.makeStream()
        struct Waiting: Tool {
            struct Arguments: Decodable, Sendable {}
            let name = "wait"
            let description = "Waits."
            let parameters: JSONValue = [:]
            let began: AsyncStream<Void>.Continuation
            let ended: AsyncStream<Bool>.Continuation

            func call(arguments _: Arguments) async throws -> String {
                began.yield()
                for await _ in AsyncStream<Void>.makeStream().stream {}
                ended.yield(Task.isCancelled)
                return "too late"
            }
        }
        let session = ChatSession(
            client: try client(of: transport), model: "m", tools: [Waiting(began: signal, ended: end)])
        async let response = session.respond(to: "Hi")
        for await _ in began { break }
        while !session.state.withLock({ $0.turn?.reading.givenLength == 5 }) { await Task.yield() }
        session.cancel()
        #expect(try await response.content == "Wait.")
        for await isCancelled in ended {
            #expect(isCancelled)
            break
        }
        #expect(session.transcript.map(\.message.text) == ["Hi", "Wait."])
        #expect(try await session.respond(to: "Again.").content == "ok")
    }
}
