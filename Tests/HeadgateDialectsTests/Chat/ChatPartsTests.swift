import Testing

@testable import HeadgateDialects

/// Chat completions with several choices or parts, which are one response in other formats.
@Suite("A chat completion in parts")
struct ChatPartsTests {
    private static let call = #"{"id":"t1","type":"function","function":{"name":"f","arguments":"{}"}}"#
    private static let secondCall = #"{"id":"t2","type":"function","function":{"name":"g","arguments":"{}"}}"#

    @Test(
        "is complete for clients of other formats, whichever choice has which part",
        arguments: [
            // GitHub Copilot sends neither an index nor an object.
            (
                #"{"finish_reason":"tool_calls","message":{"content":"a"}},"#
                    + #"{"finish_reason":"tool_calls","message":{"tool_calls":[\#(call)]}}"#, ["text a", "call t1"]
            ),
            (
                #"{"index":1,"finish_reason":"stop","message":{"content":null,"tool_calls":[\#(call)]}},"#
                    + #"{"index":0,"finish_reason":"stop","message":{"content":"a"}}"#, ["text a", "call t1"]
            ),
            (
                #"{"finish_reason":"stop","message":{"tool_calls":[\#(call)]}},"#
                    + #"{"finish_reason":"tool_calls","message":{"content":"a","tool_calls":[\#(secondCall)]}}"#,
                ["call t1", "text a", "call t2"]
            ),
            (
                #"{"message":null},{"finish_reason":"stop","message":{"reasoning_content":"h","content":"a",""#
                    + #"tool_calls":[\#(call)]}}"#, ["reasoning h sealed", "text a", "call t1"]
            ),
        ])
    func choices(choices: String, parts: [String]) throws {
        let response = try ChatResponseReader.read(Chat.object(#"{"id":"1","choices":[\#(choices)]}"#))
        #expect(response.contents.map(\.summary) == parts)
        #expect(response.end == .toolCalls)
    }

    @Test(
        "ends like the choice with the most specific reason",
        arguments: [
            ("stop", "length", .length), ("length", "stop", .length), ("content_filter", "length", .refused),
            ("stop", "stop", .stop), ("tool_calls", "stop", .stop),
        ] as [(String, String, ResponseEnd)])
    func ends(first: String, second: String, end: ResponseEnd) throws {
        func choice(_ index: Int, _ member: String, _ reason: String) -> String {
            #"{"index":\#(index),"\#(member)":{"content":"a"},"finish_reason":"\#(reason)"}"#
        }
        let whole = #"{"choices":[\#(choice(0, "message", first)),\#(choice(1, "message", second))]}"#
        #expect(try ChatResponseReader.read(Chat.object(whole)).end == end)
        let chunks = [choice(0, "delta", first), choice(1, "delta", second)].map { #"{"choices":[\#($0)]}"# }
        #expect(try Chat.events(chunks).last == .finished(end))
    }

    private static let text = #"{"index":0,"delta":{"content":"a"}}"#
    private static let textEnd = #"{"index":0,"delta":{},"finish_reason":"tool_calls"}"#
    private static let begun =
        #"{"index":1,"delta":{"tool_calls":[{"index":0,"id":"t1","function":{"name":"f","arguments":"{"}}]}}"#
    private static let gone = #"{"index":1,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"}"}}]}}"#
    private static let callEnd = #"{"index":1,"delta":{},"finish_reason":"tool_calls"}"#

    @Test(
        "streams completely to clients of other formats, in any order of choices",
        arguments: [
            [text, begun, gone, textEnd, callEnd], [text, textEnd, begun, gone, callEnd],
            [text + "," + begun, gone + "," + textEnd, callEnd], [text, begun, textEnd, gone],
        ],
        [ClientFormat.messages, .responses, .ollamaChat])
    func streamedChoices(choices: [String], client: ClientFormat) throws {
        let output = try stream(choices, to: client)
        let calls = [
            ClientFormat.messages: #""type":"tool_use""#, .responses: #""type":"function_call""#,
            .ollamaChat: #""tool_calls":[{"id":"t1""#,
        ]
        #expect(output.contains(#""a""#))
        #expect(output.contains(try #require(calls[client])))
        guard let wire = client.wire else { return #expect(output.contains(#""done":true"#)) }
        let summary = Streams.Summary(try Streams.read(Array(output.utf8), as: wire))
        #expect(summary.pieces == [["text", "a"], ["function", "t1", "f", "{}"]])
        #expect(summary.end == .toolCalls)
    }

    @Test("separates the calls of its choices, though each counts from 0")
    func countedApart() throws {
        let events = try Chat.events([
            #"{"id":"1","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"f"}}]}},"#
                + #"{"index":1,"delta":{"tool_calls":[{"index":0,"id":"b","function":{"name":"g"}}]}}]}"#,
            #"{"choices":[{"index":1,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"2"}}]}}]}"#,
            #"{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"1"}}]}}]}"#,
        ])
        #expect(
            events.dropFirst() == [
                .toolCall(index: 0, id: "a", name: "f", isCustom: false),
                .toolCall(index: 1, id: "b", name: "g", isCustom: false),
                .toolArguments(index: 1, "2"), .toolArguments(index: 0, "1"),
            ])
    }

    @Test(
        "has the reasoning and the text of a list of contents",
        arguments: [
            // Mistral.
            (
                #"[{"type":"thinking","thinking":[{"type":"text","text":"h"},{"type":"text","text":"m"}]},"#
                    + #"{"type":"text","text":"a"},{"type":"text","text":"b"}]"#, ["reasoning hm", "text ab"]
            ),
            (
                #"[{"type":"text","text":"a"},{"type":"thinking","thinking":"h","closed":true},"b"]"#,
                ["text a", "reasoning h", "text b"]
            ),
            (
                #"[{"type":"thinking","thinking":"h","signature":"headgate:messages::s"}]"#, ["reasoning h sealed"]
            ),
            (#"[{"type":"reasoning","text":"h"},{"type":"refusal","refusal":"no"}]"#, ["reasoning h", "refusal no"]),
            (
                #"[{"type":"thinking","thinking":[]},{"type":"thinking","thinking":""},{"type":"reference","reference_ids":[1]},7,null]"#,
                []
            ),
            (#"{"type":"text","text":"a"}"#, ["text a"]),
        ])
    func contents(content: String, parts: [String]) throws {
        let message = #"{"choices":[{"message":{"content":\#(content)}}]}"#
        #expect(try ChatResponseReader.read(Chat.object(message)).contents.map(\.summary) == parts)
        let events = try Chat.events(deltas: [#"{"content":\#(content)}"#])
        let summary = Streams.Summary(events).pieces.map { $0[0] == "seal" ? "seal" : $0.joined(separator: " ") }
        #expect(summary == parts.flatMap { $0.hasSuffix(" sealed") ? ["reasoning h", "seal"] : [$0] })
    }

    @Test("has its reasoning once, even if a member repeats that of the list")
    func repeatedReasoning() throws {
        let content = #"[{"type":"thinking","thinking":[{"type":"text","text":"h"}]},{"type":"text","text":"a"}]"#
        let message = #""reasoning_content":"h","content":\#(content)"#
        let response = try ChatResponseReader.read(Chat.object(#"{"choices":[{"message":{\#(message)}}]}"#))
        #expect(response.contents.map(\.summary) == ["reasoning h sealed", "text a"])
        let events = try Chat.events(deltas: ["{\(message)}"])
        #expect(Streams.Summary(events).pieces.map { $0[0] } == ["reasoning", "text"])
    }

    /// Returns the client's stream for chunks with these choices and `[DONE]`.
    private func stream(_ choices: [String], to client: ClientFormat) throws -> String {
        var translation = StreamTranslation(from: .chat, to: client, Streams.context)
        var output: [UInt8] = []
        for choice in choices {
            let chunk = Array(#"{"id":"1","choices":[\#(choice)]}"#.utf8)
            try chunk.withUnsafeBytes { try translation.receive($0, into: &output) }
        }
        #expect(try translation.end(isMarked: true, into: &output))
        #expect(translation.facts.end == .toolCalls)
        return String(decoding: output, as: UTF8.self)
    }
}

extension Content {
    fileprivate var summary: String {
        switch self {
        case .text(let text): "text \(text)"
        case .refusal(let text): "refusal \(text)"
        case .reasoning(let thought): "reasoning \(thought.text)" + (thought.seal == nil ? "" : " sealed")
        case .toolCall(let call): "call \(call.id)"
        case .image, .document, .toolResult: "\(self)"
        }
    }
}
