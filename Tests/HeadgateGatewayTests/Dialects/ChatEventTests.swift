import Testing

@testable import HeadgateRelay

@Suite struct ChatEventTests {
    private func read(_ text: String) -> ChatEvent? { try? ChatEvent(Array(text.utf8)) }

    private func delta(_ members: String) -> ChatEvent? { read(#"{"choices":[{"index":0,"delta":{\#(members)}}]}"#) }

    @Test func everySignificantMemberIsFound() throws {
        let text =
            #"{"id":"x","model":"m","choices":[{"index":3,"finish_reason":"stop","delta":{}},{"index":0,"delta":{"content":"a"}}],"usage":{"prompt_tokens":7,"x":{},"completion_tokens":8}}"#
        let event = try #require(read(text))
        let bytes = Array(text.utf8)
        #expect(event.modelLiteral.map { String(decoding: bytes[$0], as: UTF8.self) } == #""m""#)
        #expect(event.hasChoices && event.choiceCount == 2)
        #expect(event.finishedChoices == 1 << 3)
        #expect(bytes.withUnsafeBytes { event.finishReason(in: $0)?.word } == "stop")
        #expect(event.hasContent && event.hasUsage && !event.hasError)
        #expect(event.promptTokens == 7 && event.completionTokens == 8)
    }

    @Test func keysAreRecognisedHoweverTheyAreEscaped() {
        #expect(read(#"{"\u0065rror":"x"}"#)?.hasError == true)
        #expect(read(#"{"ch\u006fices":[{"delt\u0061":{"content":"a"}}]}"#)?.hasContent == true)
    }

    @Test(arguments: [
        "", #""role":"assistant""#, #""content":"""#, #""content":null,"refusal":null"#, #""tool_calls":[]"#,
        #""tool_calls":[ ]"#, #""audio":{ }"#,
    ])
    func emptyDeltasAreNotContent(_ members: String) {
        #expect(delta(members)?.hasContent == false)
    }

    @Test(arguments: [
        #""content":"a""#, #""role":"assistant","content":"a""#, #""reasoning":"x""#, #""tool_calls":[{}]"#,
        #""x_vendor":{"a":1}"#, #""x_score":1"#,
    ])
    func anythingElseIsContent(_ members: String) {
        #expect(delta(members)?.hasContent == true)
    }

    @Test(arguments: [
        #"{"choices":{}}"#, #"{"choices":null}"#, #"{"choices":[null,1,"x"]}"#, #"{"usage":[]}"#,
        #"{"model":{"a":[]}}"#,
        #"{"choices":[{"delta":[],"index":{},"finish_reason":[1]}]}"#, #"{"usage":{"prompt_tokens":"1"}}"#,
    ])
    func otherTypesThanExpectedAreSkipped(_ text: String) throws {
        let event = try #require(read(text))
        #expect(
            event.modelLiteral == nil && event.finishedChoices == 0 && event.promptTokens == nil && !event.hasContent)
    }

    @Test(arguments: ["", "{", "[]", "null", "{}x", "{\"a\":01}", "{\"choices\":[{]}"]) func wholeDocumentIsValidated(
        _ text: String
    ) {
        #expect(read(text) == nil)
    }

    @Test(arguments: [("length", "length"), (String(repeating: "é", count: 40), "other")])
    func finishReasonOfTheLogIsAKnownWord(_ written: String, _ logged: String) throws {
        let text = #"{"choices":[{"finish_reason":"\#(written)"}]}"#
        let event = try #require(read(text))
        #expect(Array(text.utf8).withUnsafeBytes { event.finishReason(in: $0)?.word } == logged)
    }
}
