import Testing

@testable import HeadgateDialects

/// A client keeps malformed arguments of a model in its history for the rest of the session.
@Suite("A call with broken arguments in the history")
struct BrokenHistoryTests {
    static let histories: [ClientFormat: String] = [
        .chat: #"""
        {"model":"m","messages":[{"role":"user","content":"hi"},
        {"role":"assistant","tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":ARGUMENTS}}]},
        {"role":"tool","tool_call_id":"c","content":"RESULT"}]}
        """#,
        .messages: #"""
        {"model":"m","max_tokens":9,"messages":[{"role":"user","content":"hi"},
        {"role":"assistant","content":[{"type":"tool_use","id":"c","name":"f","input":ARGUMENTS}]},
        {"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":"RESULT"}]}]}
        """#,
        .responses: #"""
        {"model":"m","input":[{"role":"user","content":"hi"},
        {"type":"function_call","call_id":"c","name":"f","arguments":ARGUMENTS},
        {"type":"function_call_output","call_id":"c","output":"RESULT"}]}
        """#,
        .ollamaChat: #"""
        {"model":"m","messages":[{"role":"user","content":"hi"},
        {"role":"assistant","content":"","tool_calls":[{"function":{"name":"f","arguments":ARGUMENTS}}]},
        {"role":"tool","tool_name":"f","content":"RESULT"}]}
        """#,
    ]

    private func translate(
        _ arguments: JSONValue, _ client: ClientFormat, _ target: TranslationTarget
    ) throws -> TranslatedRequest {
        let history = try #require(Self.histories[client])
        let parts = history.split(separator: "ARGUMENTS", maxSplits: 1)
        return try target.translate(JSONValue(Array("\(parts[0])\(arguments.text)\(parts[1])".utf8)), from: client)
    }

    /// Returns the arguments of the only call in the upstream's request.
    private func arguments(_ request: TranslatedRequest) throws -> JSONValue? {
        let text = String(decoding: request.body, as: UTF8.self)
        #expect(text.contains("RESULT"))
        let body = try JSONValue(request.body)
        let messages = body["messages"]?.array ?? body["input"]?.array ?? []
        for message in messages {
            if let call = message["tool_calls"]?.array?.first { return call["function"]?["arguments"] }
            if message["type"] == "function_call" { return message["arguments"] }
            for block in message["content"]?.array ?? [] where block["type"] == "tool_use" { return block["input"] }
        }
        return nil
    }

    @Test(
        "is forwarded as text, or as an object with the text, with its result",
        arguments: histories.keys,
        [
            (#"{"path": "a.py", "text": "retu"#, #"{"_raw":"{\"path\": \"a.py\", \"text\": \"retu"}"#),
            ("[1]", #"{"_raw":"[1]"}"#), (#""x""#, #"{"_raw":"\"x\""}"#),
            (#"{"a":1}{"b":2}"#, #"{"_raw":"{\"a\":1}{\"b\":2}"}"#), ("ls -l", #"{"_raw":"ls -l"}"#),
            ("", nil), (" \n", nil), ("null", nil),
        ])
    func mended(client: ClientFormat, row: (String, String?)) throws {
        let (text, mended) = row
        for target in TranslationTarget.all(for: client) {
            let request = try translate(.string(text), client, target)
            let written = try arguments(request)
            if target.format == .messages {
                #expect(written?.text == mended ?? "{}", "\(target.title)")
            } else if target.traits.isOpenAIsOwn {
                #expect(written?.string == (mended == nil ? "{}" : text), "\(target.title)")
            } else {
                #expect(written?.string == mended ?? "{}", "\(target.title)")
            }
            let isNamed = mended != nil && !target.traits.isOpenAIsOwn
            #expect(request.dropped == (isNamed ? [Feature.toolArguments.name(in: client)] : []), "\(target.title)")
        }
    }

    @Test("of another JSON type is refused by its member", arguments: histories.keys, [[1], 7, true] as [JSONValue])
    func refused(client: ClientFormat, arguments: JSONValue) throws {
        for target in TranslationTarget.all(for: client) {
            let error = #expect(throws: TranslationError.self) { try translate(arguments, client, target) }
            let member = try #require(error?.member)
            #expect(member.hasSuffix("arguments") || member.hasSuffix("input"))
        }
    }
}
