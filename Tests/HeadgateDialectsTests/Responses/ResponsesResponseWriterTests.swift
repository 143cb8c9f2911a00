import Testing

@testable import HeadgateDialects

@Suite("The writer of whole Responses")
struct ResponsesResponseWriterTests {
    @Test("writes the same as the end of the response's stream")
    func sameAsStream() throws {
        var response = ModelResponse()
        response.contents = [
            .reasoning(Reasoning("t", seal: ReasoningSeal(.responses, "S"))), .text("a"), .text("b"), .refusal("r"),
            .toolCall(ToolCall(id: "c", name: "f", arguments: "")),
            .toolCall(ToolCall(id: "d", name: "g", arguments: #"{"x":[]}"#)),
        ]
        response.end = .length
        response.usage = TokenUsage(input: 1, output: 2, reasoning: 1)
        let stream = try WrittenResponsesStream([
            .started(id: nil, model: nil), .reasoning("t"), .reasoningSeal(ReasoningSeal(.responses, "S")), .text("ab"),
            .refusal("r"), .toolCall(index: 0, id: "c", name: "f", isCustom: false),
            .toolCall(index: 1, id: "d", name: "g", isCustom: false), .toolArguments(index: 1, #"{"x":[]}"#),
            .usage(TokenUsage(input: 1, output: 2, reasoning: 1)), .finished(.length), .ended,
        ])
        let written = JSONValue.object(ResponsesResponseWriter.write(response, .example))
        #expect(written == stream.response)
        #expect(written["status"] == "incomplete")
        #expect(written["output"]?.array?.count == 4)
        #expect(written["usage"]?["total_tokens"] == 3)
    }
}
