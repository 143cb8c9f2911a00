import Testing

@testable import HeadgateDialects

@Suite("A whole response written for Messages")
struct MessagesResponseWriterTests {
    private func written(_ contents: [Content], end: ResponseEnd = .stop, usage: TokenUsage? = nil) -> JSONValue {
        var response = ModelResponse()
        response.contents = contents
        response.end = end
        response.usage = usage
        var context = ResponseContext()
        context.id = "7"
        context.model = "claude"
        context.toolNames = ["a_b": "a.b"]
        return .object(MessagesResponseWriter.write(response, context))
    }

    @Test("is a message with contents, an end and usage")
    func message() {
        let message = written(
            [
                .reasoning(Reasoning("hm", seal: ReasoningSeal(.responses, "e"))), .reasoning(Reasoning("open")),
                .reasoning(Reasoning("", seal: ReasoningSeal(.messages, "d", isRedacted: true))), .text(""),
                .text("Hi"), .call("1", "a_b", #"{"x":1}"#), .call("2", "g", ""), .call("3", "p", "t", isCustom: true),
            ], usage: TokenUsage(input: 9, cachedInput: 4, output: 3, reasoning: 1))
        #expect(
            message.text
                == #"{"id":"msg_7","type":"message","role":"assistant","model":"claude","content":["#
                + #"{"type":"thinking","thinking":"hm","signature":"headgate:responses::e"},"#
                + #"{"type":"thinking","thinking":"open","signature":"headgate:chat::"},{"type":"redacted_thinking","data":"d"},"#
                + #"{"type":"text","text":"Hi"},{"type":"tool_use","id":"1","name":"a.b","input":{"x":1}},"#
                + #"{"type":"tool_use","id":"2","name":"g","input":{}},"#
                + #"{"type":"tool_use","id":"3","name":"p","input":{"input":"t"}}],"#
                + #""stop_reason":"tool_use","stop_sequence":null,"usage":{"input_tokens":5,"#
                + #""cache_creation_input_tokens":0,"cache_read_input_tokens":4,"output_tokens":3,"#
                + #""output_tokens_details":{"thinking_tokens":1}}}"#)
    }

    @Test("has an empty text if the model says nothing")
    func nothing() { #expect(written([])["content"]?.text == #"[{"type":"text","text":""}]"#) }

    @Test("never has usage below zero")
    func usage() {
        let usage = written([], usage: TokenUsage(input: 1, cachedInput: 4))["usage"]
        #expect(usage?["input_tokens"] == 0)
    }

    @Test("ends for a reason")
    func ends() {
        #expect(written([.refusal("No.")])["stop_reason"] == "refusal")
        #expect(written([.refusal("No.")])["content"]?.text == #"[{"type":"text","text":"No."}]"#)
        let sequence = written([.text("a")], end: .stopSequence("END"))
        #expect(sequence["stop_reason"] == "stop_sequence")
        #expect(sequence["stop_sequence"] == "END")
    }

    @Test("marks truncated arguments")
    func cutArguments() {
        let message = written([.call("1", "f", #"{"x":"#)], end: .length)
        #expect(message["content"]?.array?.first?["input"]?.text == #"{"invalid_arguments":"{\"x\":"}"#)
    }

    @Test("survives the round trip")
    func roundTrip() throws {
        let document = written(
            [
                .reasoning(Reasoning("t", seal: ReasoningSeal(.messages, "s"))), .text("a"),
                .call("1", "f", #"{"x":1}"#),
            ], usage: TokenUsage(input: 9, cachedInput: 4, cacheWrites: 2, output: 3))
        let response = try MessagesResponseReader.read(try #require(document.object))
        var context = ResponseContext()
        context.id = "7"
        context.model = "claude"
        #expect(JSONValue.object(MessagesResponseWriter.write(response, context)) == document)
    }
}
