import Testing

@testable import HeadgateDialects

/// Data that an upstream attaches to a response and requires in the next request, passed through clients of other APIs.
@Suite("Data that a provider needs back")
struct ReturnedReasoningTests {
    private static let clients: [ClientFormat] = [.messages, .responses]
    private static let call = #""id":"call_1","type":"function","function":{"name":"f","arguments":"{\"x\":1}"}"#
    private static let signature = #""extra_content":{"google":{"thought_signature":"CpABAXLI2nz8xyz=="}}"#
    private static let long = String(repeating: "s", count: 5000)

    /// Deltas of a chat upstream's message, which also form the whole message, and texts that the upstream must get
    /// back.
    static let messages: [(deltas: [String], sent: [String])] = [
        // Gemini; members of the function itself; more data than an id can hold; an id that Anthropic does not accept.
        ([#"{"tool_calls":[{"index":0,\#(call),\#(signature)}]}"#], [#"{\#(call),\#(signature)}"#]),
        (
            [#"{"tool_calls":[{"index":0,"id":"c","function":{"name":"f","arguments":"{}","sig":"S"},"seen":true}]}"#],
            [#""function":{"name":"f","arguments":"{}","sig":"S"},"seen":true}"#]
        ),
        (
            [#"{"content":"a"}"#, #"{"tool_calls":[{"index":0,\#(call),"more":"\#(long)"}]}"#],
            [#"{\#(call),"more":"\#(long)"}"#]
        ),
        (
            [#"{"tool_calls":[{"index":0,"id":"functions.f:0","function":{"name":"f","arguments":"{}"},"m":1}]}"#],
            [#""id":"functions.f:0","#, #","m":1}"#]
        ),
        // DeepSeek and Kimi; vLLM; OpenRouter, which sends the signature last; MiniMax, which repeats earlier text.
        (
            [
                #"{"reasoning_content":"hm"}"#, #"{"reasoning_content":" so"}"#,
                #"{"tool_calls":[{"index":0,\#(call)}]}"#,
            ],
            [#""reasoning_content":"hm so""#]
        ),
        (
            [#"{"reasoning":"hm"}"#, #"{"content":"a"}"#, #"{"tool_calls":[{"index":0,\#(call)}]}"#],
            [#""reasoning":"hm""#, #""content":"a""#]
        ),
        (
            [
                #"{"reasoning":"hm","reasoning_details":[{"type":"reasoning.text","text":"hm","index":0}]}"#,
                #"{"reasoning":" so","reasoning_details":[{"type":"reasoning.text","text":" so","index":0}]}"#,
                #"{"reasoning_details":[{"type":"reasoning.text","signature":"S","index":0}]}"#,
                #"{"reasoning_details":[{"type":"reasoning.encrypted","data":"E","id":"1","index":1}]}"#,
                #"{"tool_calls":[{"index":0,\#(call)}]}"#,
            ],
            [
                #""reasoning":"hm so""#,
                #""reasoning_details":[{"type":"reasoning.text","text":"hm so","index":0,"signature":"S"},"#
                    + #"{"type":"reasoning.encrypted","data":"E","id":"1","index":1}]"#,
            ]
        ),
        (
            [
                #"{"reasoning_details":[{"type":"reasoning.text","format":"MiniMax-1","index":0,"text":"The"}]}"#,
                #"{"reasoning_details":[{"type":"reasoning.text","format":"MiniMax-1","index":0,"text":"The user"}]}"#,
                #"{"tool_calls":[{"index":0,\#(call)}]}"#,
            ],
            [#""reasoning_details":[{"type":"reasoning.text","format":"MiniMax-1","index":0,"text":"The user"}]"#]
        ),
    ]

    private func context() -> ResponseContext {
        var context = ResponseContext()
        (context.id, context.model, context.provider) = ("7", "m", "0a1b2c3d")
        return context
    }

    private func stream(_ events: [String], _ upstream: WireFormat, to client: ClientFormat) throws -> JSONValue {
        var translation = StreamTranslation(from: upstream, to: client, context())
        var output: [UInt8] = []
        for event in events {
            try Array(event.utf8).withUnsafeBytes { try translation.receive($0, into: &output) }
        }
        if !translation.facts.hasEnded { _ = try translation.end(isMarked: true, into: &output) }
        let format: AnswerFormat = client == .messages ? .messages : client == .responses ? .responses : .chat
        return try JSONValue(try #require(AnswerForms.document(of: output, in: format)))
    }

    private func chunks(_ deltas: [String]) -> [String] {
        deltas.map { #"{"id":"r","choices":[{"index":0,"delta":\#($0)}]}"# }
            + [#"{"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":1}}"#]
    }

    /// Returns the request of a client that sends a whole response back, with results for its calls.
    private func request(_ client: ClientFormat, after answer: JSONValue, without types: Set<String> = []) -> JSONValue
    {
        func isLeft(_ part: JSONValue) -> Bool { !types.contains(part["type"]?.string ?? "") }
        switch client {
        case .messages:
            let content = (answer["content"]?.array ?? []).filter(isLeft)
            let results = content.filter { $0["type"] == "tool_use" }.map { call -> JSONValue in
                ["type": "tool_result", "tool_use_id": call["id"] ?? "", "content": "RESULT"]
            }
            return [
                "model": "m", "max_tokens": 9,
                "messages": [
                    ["role": "user", "content": "hi"], ["role": "assistant", "content": .array(content)],
                    ["role": "user", "content": .array(results)],
                ],
            ]
        case .responses:
            let output = (answer["output"]?.array ?? []).filter(isLeft)
            let results = output.filter { $0["type"] == "function_call" }.map { call -> JSONValue in
                ["type": "function_call_output", "call_id": call["call_id"] ?? "", "output": "RESULT"]
            }
            return ["model": "m", "input": .array([["role": "user", "content": "hi"]] + output + results)]
        default:
            let message = answer["choices"]?.array?.first?["message"] ?? [:]
            let results = (message["tool_calls"]?.array ?? []).map { call -> JSONValue in
                ["role": "tool", "tool_call_id": call["id"] ?? "", "content": "RESULT"]
            }
            return ["model": "m", "messages": .array([["role": "user", "content": "hi"], message] + results)]
        }
    }

    private func send(
        _ request: JSONValue, _ client: ClientFormat, to upstream: WireFormat, provider: String = "0a1b2c3d"
    ) throws -> (text: String, dropped: [String]) {
        var target = TargetTraits()
        target.provider = provider
        let translated = try RequestTranslation.translate(request.bytes, from: client, to: upstream, for: target)
        return (String(decoding: translated.body, as: UTF8.self), translated.dropped)
    }

    @Test("returns to it through clients of Messages and Responses, streamed and whole", arguments: clients, messages)
    func returned(client: ClientFormat, row: ([String], [String])) throws {
        var message = JSONObject()
        for delta in row.0 {
            for member in try JSONValue(Array(delta.utf8)).object?.members ?? [] {
                guard case .string(let text) = member.value else {
                    message[member.name] = member.value
                    continue
                }
                message[member.name] = .string((message[member.name]?.string ?? "") + text)
            }
        }
        let whole: JSONValue = ["id": "r", "choices": [["message": .object(message), "finish_reason": "tool_calls"]]]
        var answers = [try stream(chunks(row.0), .chat, to: client)]
        // A whole response would have the details in one piece.
        if message["reasoning_details"] == nil {
            let (bytes, _) = try ResponseTranslation.translate(whole.bytes, from: .chat, to: client, context())
            answers.append(try JSONValue(bytes))
        }
        for answer in answers {
            let sent = try send(request(client, after: answer), client, to: .chat)
            for text in row.1 { #expect(sent.text.contains(text), "\(sent.text)") }
            #expect(sent.dropped.isEmpty && !sent.text.contains("__hg_") && sent.text.contains("RESULT"))
            #expect(!sent.text.contains("No result was given"))
            // The data is never sent to another upstream or in another format.
            for (upstream, provider) in [(WireFormat.chat, "ffffffff"), (.messages, "0a1b2c3d")] {
                let other = try send(request(client, after: answer), client, to: upstream, provider: provider)
                for member in ["thought_signature", #""sig""#, #""more""#, "reasoning_content", "reasoning_details"] {
                    #expect(!other.text.contains(member), "\(other.text)")
                }
                #expect(other.dropped == [Feature.reasoningHistory.name(in: client)])
                #expect(other.text.contains("RESULT") && !other.text.contains("headgate:"))
            }
        }
    }

    @Test("is in the id of a call, which clients without reasoning return too", arguments: clients)
    func ids(client: ClientFormat) throws {
        let answer = try stream(chunks(Self.messages[0].deltas), .chat, to: client)
        let item = try #require((answer["content"] ?? answer["output"])?.array?.last)
        let id = try #require((item["call_id"] ?? item["id"])?.string)
        #expect(id.utf8.allSatisfy { $0 == 0x5F || $0 == 0x2D || ($0 | 0x20) &- 0x61 < 26 || $0 &- 0x30 < 10 })
        #expect(id.utf8.count < 300)
        let request = request(client, after: answer, without: ["thinking", "redacted_thinking", "reasoning"])
        #expect(try send(request, client, to: .chat).text.contains("thought_signature"))
        // An upstream of the client's own API receives only the id.
        let format = try #require(client.wire)
        let native = try #require(ForeignReasoning.removed(from: request.bytes, in: format))
        let text = String(decoding: native.body, as: UTF8.self)
        #expect(text.contains(#""call_1""#) && !text.contains("__hg_"))
        #expect(ForeignReasoning.removed(from: native.body, in: format) == nil)
    }

    @Test("is bounded: excess data is omitted, and the call works", arguments: clients)
    func bounded(client: ClientFormat) throws {
        let much = String(repeating: "m", count: 70_000)
        let delta = #"{"tool_calls":[{"index":0,\#(Self.call),"more":"\#(much)"}]}"#
        let answer = try stream(chunks([delta]), .chat, to: client)
        #expect(!answer.text.contains("mmm"))
        #expect(try send(request(client, after: answer), client, to: .chat).text.contains("RESULT"))
    }

    @Test("comes in a seal if the call has begun without it", arguments: clients)
    func late(client: ClientFormat) throws {
        let deltas = [
            #"{"tool_calls":[{"index":0,"id":"call_1","function":{"name":"f","arguments":"{"}}]}"#,
            #"{"tool_calls":[{"index":0,"function":{"arguments":"}"},\#(Self.signature)}]}"#,
        ]
        let answer = try stream(chunks(deltas), .chat, to: client)
        #expect(try send(request(client, after: answer), client, to: .chat).text.contains(Self.signature))
    }

    @Test(
        "is thinking without a signature for an upstream of Messages that has none",
        arguments: [ClientFormat.chat, .responses])
    func unsigned(client: ClientFormat) throws {
        let block = #"{"type":"thinking","thinking":"hm","signature":""}"#
        let use = #"{"type":"tool_use","id":"t1","name":"f","input":{}}"#
        let message =
            #"{"id":"m","type":"message","role":"assistant","content":[\#(block),\#(use)],"stop_reason":"tool_use"}"#
        let (bytes, _) = try ResponseTranslation.translate(Array(message.utf8), from: .messages, to: client, context())
        let events = [
            #"{"type":"message_start","message":{"id":"m","usage":{"input_tokens":1}}}"#,
            #"{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":""}}"#,
            #"{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"hm"}}"#,
            #"{"type":"content_block_stop","index":0}"#,
            #"{"type":"content_block_start","index":1,"content_block":\#(use)}"#,
            #"{"type":"content_block_stop","index":1}"#,
            #"{"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":1}}"#,
            #"{"type":"message_stop"}"#,
        ]
        for answer in [try JSONValue(bytes), try stream(events, .messages, to: client)] {
            let next = request(client, after: answer)
            #expect(try send(next, client, to: .messages).text.contains(block))
            let other = try send(next, client, to: .messages, provider: "ffffffff")
            #expect(!other.text.contains("thinking") && other.dropped == [Feature.reasoningHistory.name(in: client)])
        }
    }

    @Test("is not sent in a conversation without calls, where no provider needs it", arguments: clients)
    func withoutCalls(client: ClientFormat) throws {
        let deltas = [#"{"reasoning_content":"hm"}"#, #"{"content":"a"}"#]
        let answer = try stream(chunks(deltas), .chat, to: client)
        let sent = try send(request(client, after: answer), client, to: .chat)
        #expect(!sent.text.contains("reasoning_content"))
        #expect(sent.dropped == [Feature.reasoningHistory.name(in: client)])
    }

    @Test(
        "is recognized, and nothing else is taken for it",
        arguments: [
            "call_1", "__hg_", "a__hg_", "a__hg_0a1b2c3d_", "a__hg_0a1b2c3d_!!", "a__hg_0a1b2c3d_e30", "a__hg_x",
            "headgate:chat:call:x:y",
        ])
    func hostileIDs(id: String) {
        #expect(SealedCallID.open(id) == nil)
        #expect(ReasoningSeal(written: id, by: .messages).isOf(TargetTraits(), .chat) == false)
    }
}
