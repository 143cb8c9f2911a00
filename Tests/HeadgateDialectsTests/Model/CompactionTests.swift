import Testing

@testable import HeadgateDialects

@Suite("A compaction by a summary")
struct CompactionTests {
    private static let answer =
        #"{"choices":[{"message":{"content":"They met.","reasoning_content":"hm"},"finish_reason":"stop"}],"usage":{"prompt_tokens":70,"completion_tokens":4}}"#

    private func translate(
        _ request: String, from client: ClientFormat, to wire: WireFormat = .chat, as form: CompactionForm? = .response
    ) throws -> TranslatedRequest {
        try RequestTranslation.translate(
            Array(request.utf8), from: client, to: wire, for: TargetTraits(), compaction: form)
    }

    private static let asking: [(String, ClientFormat)] = [
        (
            #"{"model":"m","input":[{"role":"user","content":"Hi"},{"type":"compaction_trigger"}],"tools":[{"type":"function","name":"f"}],"tool_choice":"required","text":{"format":{"type":"json_object"}},"max_output_tokens":99999}"#,
            .responses
        ),
        (
            #"{"model":"m","max_tokens":99999,"messages":[{"role":"user","content":"Hi"}],"compaction":{"type":"summarize","instructions":"  "},"tools":[{"name":"f","input_schema":{"type":"object"}}],"tool_choice":{"type":"any"},"stop_sequences":["x"]}"#,
            .messages
        ),
    ]

    @Test("is asked of the model last, in bounded length, without calls or a format", arguments: asking)
    func request(body: String, client: ClientFormat) throws {
        let sent = try JSONValue(translate(body, from: client).body)
        #expect(sent["messages"]?.array?.count == 2)
        #expect(sent["messages"]?.array?.last?["content"]?.string == Compaction.instructions)
        #expect(sent["max_tokens"]?.integer == Compaction.maximumTokens && sent["tool_choice"] == "none")
        #expect(sent["tools"]?.array?.count == 1 && sent["response_format"] == nil && sent["stop"] == nil)
    }

    @Test("is refused by the name of what asks for it, unless it is allowed", arguments: asking)
    func refusal(body: String, client: ClientFormat) throws {
        let error = #expect(throws: TranslationError.self) { try translate(body, from: client, as: nil) }
        #expect(error?.member == (client == .messages ? "compaction" : "input[1].type"))
    }

    @Test("is asked for only by a trigger at the end")
    func earlierTrigger() throws {
        let body = #"{"model":"m","input":[{"type":"compaction_trigger"},{"role":"user","content":"Hi"}]}"#
        #expect(!Compaction.isRequested(by: Array(body.utf8), in: .responses))
        for form in [CompactionForm?.none, .response] {
            let sent = try translate(body, from: .responses, as: form)
            #expect(try JSONValue(sent.body)["messages"]?.array?.count == 1)
            #expect(sent.dropped == ["input[].compaction_trigger"])
        }
    }

    @Test("fails if the summary is cut off")
    func truncated() throws {
        var context = ResponseContext()
        context.compaction = .response
        let cut = Array(#"{"choices":[{"message":{"content":"They"},"finish_reason":"length"}]}"#.utf8)
        #expect(throws: ResponseFault.noSummary) {
            try ResponseTranslation.translate(cut, from: .chat, to: .responses, context)
        }
        var stream = StreamTranslation(from: .chat, to: .responses, context)
        var output: [UInt8] = []
        let end = Array(#"{"choices":[{"index":0,"delta":{"content":"They"},"finish_reason":"length"}]}"#.utf8)
        #expect(throws: ResponseFault.noSummary) {
            try end.withUnsafeBytes { try stream.receive($0, into: &output) }
            _ = try stream.end(isMarked: true, into: &output)
        }
    }

    @Test("follows the instructions of the client")
    func instructions() throws {
        let body =
            #"{"model":"m","max_tokens":50,"messages":[{"role":"user","content":"Hi"}],"compaction":{"type":"summarize","instructions":"In verse."}}"#
        let sent = try JSONValue(translate(body, from: .messages).body)
        #expect(sent["messages"]?.array?.last?["content"] == "In verse." && sent["max_tokens"] == 50)
        let error = #expect(throws: TranslationError.self) {
            try translate(body.replacing("summarize", with: "forget"), from: .messages)
        }
        #expect(error?.member == "compaction.type")
    }

    @Test("is the only item of a response, and opens as a text of the user", arguments: [false, true])
    func item(isDocument: Bool) throws {
        var context = ResponseContext()
        context.id = "1"
        context.compaction = isDocument ? .document : .response
        let (bytes, _) = try ResponseTranslation.translate(
            Array(Self.answer.utf8), from: .chat, to: .responses, context)
        let written = try JSONValue(bytes)
        #expect(written["object"]?.string == (isDocument ? "response.compaction" : "response"))
        #expect((written["status"] == "completed") == !isDocument)
        #expect(written["usage"]?["input_tokens"] == 70 && written["usage"]?["output_tokens"] == 4)
        let items = try #require(written["output"]?.array)
        #expect(items.count == 1 && items[0]["type"] == "compaction" && items[0]["id"]?.string?.isEmpty == false)
        let next = #"{"model":"m","input":[\#(items[0].text),{"role":"user","content":"And?"}]}"#
        let sent = try JSONValue(translate(next, from: .responses, as: nil).body)
        #expect(
            sent["messages"]?.array?.compactMap { $0["content"]?.string }
                == ["Summary of the conversation so far:\n\nThey met.", "And?"])
        #expect(sent["messages"]?.array?.allSatisfy { $0["role"] == "user" } == true)
        let relayed = try #require(ForeignReasoning.removed(from: Array(next.utf8), in: .responses))
        #expect(try JSONValue(relayed.body)["input"]?.array?[0]["role"] == "user" && relayed.member == nil)
    }

    @Test("is the only block of a message, and replaces the turns before it")
    func block() throws {
        var context = ResponseContext()
        context.compaction = .response
        let (bytes, _) = try ResponseTranslation.translate(
            Array(Self.answer.utf8), from: .chat, to: .messages, context)
        let written = try JSONValue(bytes)
        let blocks = try #require(written["content"]?.array)
        #expect(written["stop_reason"] == "compaction" && blocks.count == 1 && blocks[0]["content"] == "They met.")
        let next =
            #"{"model":"m","max_tokens":9,"system":"S","messages":[{"role":"user","content":"Old"},{"role":"assistant","content":\#(JSONValue.array(blocks).text)},{"role":"user","content":"And?"}]}"#
        let sent = try JSONValue(translate(next, from: .messages, as: nil).body)
        let expected = ["S", "Summary of the conversation so far:\n\nThey met.", "And?"]
        #expect(sent["messages"]?.array?.compactMap { $0["content"]?.string } == expected)
        let relayed = try #require(ForeignReasoning.removed(from: Array(next.utf8), in: .messages))
        let turns = try #require(JSONValue(relayed.body)["messages"]?.array)
        #expect(turns.count == 2 && turns[0]["content"]?.array?[0]["text"]?.string == expected[1])
    }

    @Test("of another provider stays closed", arguments: [WireFormat.messages, .responses])
    func foreign(client: WireFormat) throws {
        let body =
            client == .messages
            ? #"{"model":"m","max_tokens":9,"messages":[{"role":"assistant","content":[{"type":"compaction","content":"c","encrypted_content":"abc"}]}]}"#
            : #"{"model":"m","input":[{"type":"compaction","encrypted_content":"gAAAA"}]}"#
        #expect(throws: TranslationError.self) { try translate(body, from: ClientFormat(client)) }
        #expect(ForeignReasoning.removed(from: Array(body.utf8), in: client) == nil)
    }

    @Test(
        "comes whole in a stream, and the text of the model never does", arguments: [ClientFormat.messages, .responses])
    func stream(client: ClientFormat) throws {
        var context = ResponseContext()
        context.compaction = .response
        var stream = StreamTranslation(from: .chat, to: client, context)
        var output: [UInt8] = []
        for delta in [#"{"reasoning_content":"hm"}"#, #"{"content":"They "}"#, #"{"content":"met."}"#] {
            let event = Array(#"{"choices":[{"index":0,"delta":\#(delta)}]}"#.utf8)
            try event.withUnsafeBytes { try stream.receive($0, into: &output) }
        }
        let end = Array(#"{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}"#.utf8)
        try end.withUnsafeBytes { try stream.receive($0, into: &output) }
        #expect(try stream.end(isMarked: true, into: &output))
        let text = String(decoding: output, as: UTF8.self)
        #expect(!text.contains("text_delta") && !text.contains("output_text") && !text.contains("hm"))
        let format: AnswerFormat = client == .messages ? .messages : .responses
        if client == .messages {
            #expect(text.contains(#""index":0,"delta":{"type":"compaction_delta","content":"They met.""#))
            #expect(text.contains(#""stop_reason":"compaction""#))
        } else {
            let whole = try JSONValue(#require(AnswerForms.document(of: output, in: format, isStrict: false)))
            #expect(whole["output"]?.array?.count == 1 && whole["output"]?.array?[0]["type"] == "compaction")
            #expect(text.contains("response.output_item.done") && stream.response != nil)
        }
    }

    @Test("fails if the model writes no text")
    func noText() throws {
        var context = ResponseContext()
        context.compaction = .response
        let empty = Array(#"{"choices":[{"message":{"content":""},"finish_reason":"stop"}]}"#.utf8)
        #expect(throws: ResponseFault.noSummary) {
            try ResponseTranslation.translate(empty, from: .chat, to: .responses, context)
        }
        var stream = StreamTranslation(from: .chat, to: .responses, context)
        var output: [UInt8] = []
        let end = Array(#"{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}"#.utf8)
        #expect(throws: ResponseFault.noSummary) {
            try end.withUnsafeBytes { try stream.receive($0, into: &output) }
            _ = try stream.end(isMarked: true, into: &output)
        }
    }

    @Test(
        "is found in a request by its place alone",
        arguments: [
            (#"{"input":[{"type":"compaction_trigger"}]}"#, ClientFormat.responses, true),
            (#"{"input":[{"role":"user","content":"compaction_trigger"}]}"#, .responses, false),
            (#"{"input":"compaction_trigger"}"#, .responses, false),
            (#"{"messages":[],"compaction":{"type":"summarize"}}"#, .messages, true),
            (#"{"messages":[{"role":"user","content":"compaction"}],"compaction":null}"#, .messages, false),
            (#"{"messages":[],"compaction":{}}"#, .chat, false),
        ])
    func finding(body: String, format: ClientFormat, isFound: Bool) {
        #expect(Compaction.isRequested(by: Array(body.utf8), in: format) == isFound)
    }
}
