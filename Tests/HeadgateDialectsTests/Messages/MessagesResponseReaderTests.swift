import Testing

@testable import HeadgateDialects

@Suite("A whole response of Messages")
struct MessagesResponseReaderTests {
    private func read(_ text: String) throws -> ModelResponse {
        try MessagesResponseReader.read(try #require(try JSONValue(Array(text.utf8)).object))
    }

    @Test("has contents, an end and usage")
    func contents() throws {
        let response = try read(
            #"{"id":"msg_1","type":"message","role":"assistant","model":"claude","content":["#
                + #"{"type":"thinking","thinking":"hm","signature":"s"},{"type":"redacted_thinking","data":"d"},"#
                + #"{"type":"thinking","thinking":"open","signature":""},{"type":"text","text":""},"#
                + #"{"type":"text","text":"Hi","citations":[]},{"type":"server_tool_use","id":"x","input":{}},"#
                + #"{"type":"tool_use","id":"t","name":"f","input":{"a":1.0}},{"type":"tool_use","id":"u","name":"g"}],"#
                + #""stop_reason":"tool_use","usage":{"input_tokens":1,"cache_read_input_tokens":2,"#
                + #""cache_creation_input_tokens":3,"output_tokens":4,"output_tokens_details":{"thinking_tokens":5}}}"#)
        #expect(response.id == "msg_1")
        #expect(response.model == "claude")
        #expect(
            response.contents == [
                .reasoning(Reasoning("hm", seal: ReasoningSeal(.messages, "s"))),
                .reasoning(Reasoning("", seal: ReasoningSeal(.messages, "d", isRedacted: true))),
                .reasoning(Reasoning("open", seal: ReasoningSeal(.messages, .unsigned, ""))), .text("Hi"),
                .call("t", "f", #"{"a":1.0}"#), .call("u", "g", "{}"),
            ])
        #expect(response.end == .toolCalls)
        #expect(response.usage == TokenUsage(input: 6, cachedInput: 2, cacheWrites: 3, output: 4, reasoning: 5))
    }

    @Test("that refuses without a text has the reason")
    func refusal() throws {
        let response = try read(
            #"{"content":[],"stop_reason":"refusal","stop_details":{"type":"refusal","explanation":"No."}}"#)
        #expect(response.contents == [.refusal("No.")])
        #expect(response.end == .refused)
        #expect(response.usage == nil)
        let sequence = try read(#"{"content":[],"stop_reason":"stop_sequence","stop_sequence":"END"}"#)
        #expect(sequence.end == .stopSequence("END"))
    }

    @Test("is not an error or anything else")
    func faults() {
        #expect(throws: ResponseFault.error) { try read(#"{"type":"error","error":{"type":"api_error"}}"#) }
        #expect(throws: ResponseFault.error) { try read(#"{"error":{"message":"x"}}"#) }
        #expect(throws: ResponseFault.unexpected) { try read(#"{"choices":[]}"#) }
    }
}
