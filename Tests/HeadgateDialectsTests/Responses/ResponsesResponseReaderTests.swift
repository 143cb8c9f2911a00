import Testing

@testable import HeadgateDialects

@Suite("The reader of whole Responses")
struct ResponsesResponseReaderTests {
    private func read(_ document: String) throws -> ModelResponse {
        try ResponsesResponseReader.read(try #require(try JSONValue(Array(document.utf8)).object))
    }

    @Test("reads contents in order, the end and the usage")
    func contents() throws {
        let response = try read(
            #"""
            {"id":"resp_1","object":"response","model":"m","status":"completed","error":null,"output":[
             {"type":"reasoning","id":"rs_1","summary":[{"type":"summary_text","text":"t"},{"text":"u"}],
              "encrypted_content":"E"},
             {"type":"file_search_call","id":"fs_1"},
             {"type":"message","role":"assistant","content":[{"type":"output_text","text":"a"},
              {"type":"output_text","text":"b"},{"type":"refusal","refusal":"no"}]},
             {"type":"function_call","call_id":"c","name":"f","arguments":"{\"x\":1}"},
             {"type":"function_call","call_id":"d","name":"g","arguments":""},
             {"type":"custom_tool_call","call_id":"e","name":"p","input":"free"}],
             "usage":{"input_tokens":1,"output_tokens":2}}
            """#)
        #expect(response.id == "resp_1")
        #expect(response.model == "m")
        #expect(
            response.contents == [
                .reasoning(Reasoning("t\n\nu", seal: ReasoningSeal(.responses, "E"))), .text("ab"), .refusal("no"),
                .toolCall(ToolCall(id: "c", name: "f", arguments: #"{"x":1}"#)),
                .toolCall(ToolCall(id: "d", name: "g", arguments: "{}")),
                .toolCall(ToolCall(id: "e", name: "p", arguments: "free", isCustom: true)),
            ])
        #expect(response.end == .toolCalls)
        #expect(response.usage == TokenUsage(input: 1, output: 2))
    }

    @Test("reads the reason of an incomplete response")
    func incomplete() throws {
        let reason = #""incomplete_details":{"reason":"content_filter"}"#
        #expect(try read(#"{"status":"incomplete","output":[],\#(reason)}"#).end == .refused)
        #expect(try read(#"{"status":"incomplete","output":[]}"#).end == .length)
    }

    @Test(
        "refuses other documents",
        arguments: [
            (#"{"error":{"message":"x"}}"#, ResponseFault.error), (#"{"status":"failed","output":[]}"#, .error),
            (#"{"status":"in_progress","output":[]}"#, .unexpected), (#"{"choices":[]}"#, .unexpected),
        ])
    func faults(document: String, fault: ResponseFault) throws {
        #expect(throws: fault) { try self.read(document) }
    }

    @Test("reads the writer's output")
    func roundTrip() throws {
        var response = ModelResponse()
        response.contents = [
            .reasoning(Reasoning("t", seal: ReasoningSeal(.responses, "S"))), .text("a"), .refusal("r"),
            .toolCall(ToolCall(id: "c", name: "f", arguments: #"{"x":[]}"#)),
        ]
        response.end = .toolCalls
        response.usage = TokenUsage(input: 1, cachedInput: 1, cacheWrites: 0, output: 2, reasoning: 1)
        var read = try ResponsesResponseReader.read(ResponsesResponseWriter.write(response, .example))
        #expect(read.id == "resp_x1")
        (read.id, read.model) = (nil, nil)
        #expect(read == response)
    }
}
