import Testing

@testable import HeadgateDialects

/// Input that only a malicious upstream or client sends.
@Suite("Hostile input")
struct HostileInputTests {
    private static let most = "9223372036854775807"

    private func stream(
        _ upstream: WireFormat, to client: ClientFormat, _ documents: [String]
    ) throws -> (text: String, facts: StreamTranslation.Facts) {
        var translation = StreamTranslation(from: upstream, to: client, ResponseContext())
        var output: [UInt8] = []
        for document in documents {
            try Array(document.utf8).withUnsafeBytes { try translation.receive($0, into: &output) }
        }
        return (String(decoding: output, as: UTF8.self), translation.facts)
    }

    @Test("absurd token counts do no harm", arguments: ClientFormat.allCases)
    func tokens(client: ClientFormat) throws {
        let message =
            #"{"id":"m","type":"message","role":"assistant","model":"c","content":[],"stop_reason":"end_turn","#
        let usage =
            #""usage":{"input_tokens":\#(Self.most),"cache_read_input_tokens":\#(Self.most),"output_tokens":\#(Self.most)}}"#
        _ = try ResponseTranslation.translate(Array((message + usage).utf8), from: .messages, to: client, .init())
        let chat = #"{"id":"c","choices":[{"index":0,"message":{"content":"a"},"finish_reason":"stop"}],"usage":{"#
        let odd = #""prompt_tokens":-9223372036854775808,"prompt_tokens_details":{"cached_tokens":\#(Self.most)},"#
        let end = #""completion_tokens":\#(Self.most)}}"#
        let (bytes, response) = try ResponseTranslation.translate(
            Array((chat + odd + end).utf8), from: .chat, to: client, .init())
        #expect(response.usage?.input == nil && !bytes.isEmpty)
    }

    @Test("an absurd index is ignored")
    func indices() throws {
        let calls = #"[{"index":\#(Self.most),"id":"a","function":{"name":"f"}},{"id":"b","function":{"name":"g"}}]"#
        let (text, _) = try stream(
            .chat, to: .messages, [#"{"id":"c","choices":[{"index":0,"delta":{"tool_calls":\#(calls)}}]}"#])
        #expect(text.contains(#""name":"f""#))
    }

    @Test("too many calls end a stream")
    func calls() {
        let call = #"{"id":"","function":{"name":"f","arguments":"{}"}}"#
        let calls = Array(repeating: call, count: ToolCall.most + 2).joined(separator: ",")
        #expect(throws: ResponseFault.oversize) {
            try stream(
                .chat, to: .messages, [#"{"id":"c","choices":[{"index":0,"delta":{"tool_calls":[\#(calls)]}}]}"#])
        }
    }

    @Test("too many calls, and too many values, refuse a request")
    func requests() {
        func translate(_ body: String) throws(TranslationError) {
            _ = try RequestTranslation.translate(Array(body.utf8), from: .chat, to: .messages, for: TargetTraits())
        }
        let call = #"{"id":"","type":"function","function":{"name":"a","arguments":"{}"}}"#
        let calls = Array(repeating: call, count: ToolCall.most + 1).joined(separator: ",")
        let history = #"{"model":"m","messages":[{"role":"assistant","tool_calls":[\#(calls)]}]}"#
        #expect(throws: TranslationError.self) { try translate(history) }
        let values = Array(repeating: "1", count: JSONValue.mostValues).joined(separator: ",")
        #expect(throws: TranslationError.self) { try translate(#"{"model":"m","messages":[],"x":[\#(values)]}"#) }
    }

    @Test("two tools of one name refuse a request")
    func toolNames() {
        func refused(_ client: ClientFormat, _ members: String) -> String? {
            let input = client == .responses ? #""input":"u""# : #""messages":[{"role":"user","content":"u"}]"#
            let body = Array(#"{"model":"m","max_tokens":9,\#(input),\#(members)}"#.utf8)
            do throws(TranslationError) {
                _ = try RequestTranslation.translate(body, from: client, to: .chat, for: TargetTraits())
                return nil
            } catch {
                return error.member
            }
        }
        let function = #"{"type":"function","function":{"name":"f"}}"#
        let named = #"{"name":"f","input_schema":{}}"#
        let tools: [(ClientFormat, String, String, String)] = [
            (.chat, "tools", function, #"{"type":"custom","custom":{"name":"f"}}"#),
            (.chat, "functions", #"{"name":"f"}"#, #"{"name":"f","parameters":{}}"#),
            (.ollamaChat, "tools", function, function), (.messages, "tools", named, named),
            (.responses, "tools", #"{"type":"function","name":"f"}"#, #"{"type":"custom","name":"f"}"#),
        ]
        for (client, member, one, other) in tools {
            #expect(refused(client, #""\#(member)":[\#(one),\#(other)]"#) == member, "\(client)")
            let different = other.replacing("\"f\"", with: "\"g\"")
            #expect(refused(client, #""\#(member)":[\#(one),\#(different)]"#) == nil, "\(client)")
        }
    }

    @Test("an end marker without a reason does not complete calls, whose arguments can be truncated")
    func cutCalls() throws {
        func isEnded(_ delta: String) throws -> Bool {
            var translation = StreamTranslation(from: .chat, to: .messages, ResponseContext())
            var output: [UInt8] = []
            let event = #"{"id":"c","choices":[{"index":0,"delta":\#(delta)}]}"#
            try Array(event.utf8).withUnsafeBytes { try translation.receive($0, into: &output) }
            return try translation.end(isMarked: true, into: &output)
        }
        #expect(try isEnded(#"{"content":"a"}"#))
        #expect(try !isEnded(#"{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"{\"x"}}]}"#))
    }

    @Test("repeated names are numbered in constant time")
    func names() {
        var names = RestrictedNames(substitute: "call", maximumLength: 8)
        let given = (0..<3000).map { _ in names.next(for: "a") }
        #expect(Set(given).count == 3000 && given[0] == "a" && given[1] == "a_2" && given[2999] == "a_3000")
        #expect(names.next(for: "a_2") == "a_2_2")
    }
}
