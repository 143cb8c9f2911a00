import Testing

@testable import HeadgateDialects

@Suite struct TelemetryMessagesTests {
    private func request(_ body: String, _ format: WireFormat = .chat, limit: Int = 1000) -> String? {
        TelemetryMessages.ofRequest(Array(body.utf8), in: format, limit: limit)
    }

    @Test func everyKindOfPartHasItsForm() {
        let body = """
            {"model":"m","messages":[{"role":"developer","content":"be kind"},
            {"role":"user","content":[{"type":"text","text":"a\\nb"},
            {"type":"image_url","image_url":{"url":"data:image/png;base64,AAAA"}}]},
            {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function",
            "function":{"name":"f","arguments":"{\\"x\\":1}"}}]},
            {"role":"tool","tool_call_id":"c1","content":"42"}]}
            """
        #expect(
            request(body) == #"[{"role":"system","parts":[{"type":"text","content":"be kind"}]},"#
                + #"{"role":"user","parts":[{"type":"text","content":"a\nb"},{"type":"image"}]},"#
                + #"{"role":"assistant","parts":[{"type":"tool_call","id":"c1","name":"f","arguments":"{\"x\":1}"}]},"#
                + #"{"role":"tool","parts":[{"type":"tool_call_response","id":"c1","response":"42"}]}]"#)
    }

    @Test func otherFormatsAreTheSame() {
        let messages = #"{"model":"m","max_tokens":5,"messages":[{"role":"user","content":"hi"}]}"#
        let responses = #"{"model":"m","input":"hi"}"#
        let expected = #"[{"role":"user","parts":[{"type":"text","content":"hi"}]}]"#
        #expect(request(messages, .messages) == expected && request(responses, .responses) == expected)
    }

    @Test func longTextsAreCutAtACharacter() {
        let body = #"{"model":"m","messages":[{"role":"user","content":"aöü"},{"role":"user","content":"more"}]}"#
        #expect(request(body, limit: 4)?.contains(#""content":"aö…""#) == true)
        #expect(request(body, limit: 4)?.contains(#""content":"""#) == true)
        #expect(request(body, limit: 5)?.contains(#""content":"aöü""#) == true)
    }

    @Test(arguments: ["", "[]", "{\"model\":\"m\"}", "no JSON"]) func invalidRequestHasNoMessages(_ body: String) {
        #expect(request(body) == nil)
    }

    @Test func wholeResponseHasItsFinishReason() {
        let document = #"""
            {"id":"c","choices":[{"index":0,"message":{"role":"assistant","content":"hi","reasoning_content":"hm"},
            "finish_reason":"length"}]}
            """#
        let message = TelemetryMessages.ofResponse(Array(document.utf8), in: .chat, limit: 100)
        #expect(message?.contains(#"{"type":"text","content":"hi"}"#) == true)
        #expect(message?.contains(#"{"type":"reasoning","content":"hm"}"#) == true)
        #expect(message?.hasSuffix(#""finish_reason":"length"}]"#) == true)
        #expect(TelemetryMessages.ofResponse(Array("{}".utf8), in: .chat, limit: 100) == nil)
    }

    @Test func streamIsAssembled() {
        var stream = TelemetryMessages.Stream(of: .chat, limit: 100)
        #expect(stream.message == nil)
        for delta in [
            #"{"content":"a"}"#, #"{"content":"b"}"#,
            #"{"tool_calls":[{"index":0,"id":"c1","function":{"name":"f","arguments":"{"}}]}"#,
            #"{"tool_calls":[{"index":0,"function":{"arguments":"}"}}]}"#,
        ] {
            let event = #"{"id":"x","choices":[{"index":0,"delta":\#(delta)}]}"#
            Array(event.utf8).withUnsafeBytes { stream.read($0) }
        }
        // The stream has not ended.
        #expect(
            stream.message == #"[{"role":"assistant","parts":[{"type":"text","content":"ab"},"#
                + #"{"type":"tool_call","id":"c1","name":"f","arguments":"{}"}],"finish_reason":"error"}]"#)
    }

    private func message(limit: Int = 100, _ choices: String...) -> String? {
        var stream = TelemetryMessages.Stream(of: .chat, limit: limit)
        for choice in choices {
            let event = #"{"id":"x","choices":[{"index":0,\#(choice)}]}"#
            Array(event.utf8).withUnsafeBytes { stream.read($0) }
        }
        return stream.message
    }

    @Test func streamedReasoningIsJoinedAndPrecedesTheText() {
        let message = message(
            #""delta":{"reasoning_content":"h"}"#, #""delta":{"reasoning_content":"m"}"#, #""delta":{"content":"a"}"#)
        #expect(
            message == #"[{"role":"assistant","parts":[{"type":"reasoning","content":"hm"},"#
                + #"{"type":"text","content":"a"}],"finish_reason":"error"}]"#)
    }

    @Test func streamedTextsHaveOneLimit() {
        let message = message(
            limit: 5, #""delta":{"content":"abc"}"#, #""delta":{"content":"def"}"#, #""delta":{"content":"g"}"#)
        #expect(message?.contains(#""content":"abcde…""#) == true)
    }

    @Test(arguments: [
        (#""content":"a""#, "stop", "stop"), (#""content":"a""#, "length", "length"),
        (#""content":"a""#, "content_filter", "content_filter"),
        (#""tool_calls":[{"index":0,"id":"c","function":{"name":"f"}}]"#, "tool_calls", "tool_call"),
    ]) func streamHasItsFinishReason(_ delta: String, _ sent: String, _ word: String) {
        let message = message(#""delta":{\#(delta)}"#, #""delta":{},"finish_reason":"\#(sent)""#)
        #expect(message?.hasSuffix(#""finish_reason":"\#(word)"}]"#) == true)
    }
}
