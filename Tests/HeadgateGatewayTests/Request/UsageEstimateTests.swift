import Testing

@testable import HeadgateRelay

/// Estimates of token counts.
@Suite struct UsageEstimateTests {
    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    @Test func promptIsAQuarterOfItsBytes() {
        #expect(UsageEstimate.prompt(bytes(#"{"a":"b"}"#)) == 3 && UsageEstimate.prompt([]) == 0)
        let long = #"{"content":"\#(String(repeating: "a word ", count: 5000))"}"#
        #expect(UsageEstimate.prompt(bytes(long)) == (long.utf8.count + 3) / 4)
    }

    @Test func picturesAreNotCounted() {
        let data = String(repeating: "QUJD\\/+==", count: 3000)
        let rest = #"{"content":[{"image_url":{"url":"data:image/png;base64,"}}]}"#
        let whole = rest.replacing("base64,", with: "base64,\(data)")
        // The whole URL is left out of the count.
        #expect(UsageEstimate.prompt(bytes(whole)) == (rest.utf8.count - "data:image/png;base64,".utf8.count + 3) / 4)
        #expect(UsageEstimate.prompt(bytes(String(whole.dropLast(3)))) == (whole.utf8.count - 3 + 3) / 4)
    }

    @Test(arguments: [(16_384, 16_392), (16_385, 8)]) func shortBase64IsText(_ count: Int, _ counted: Int) {
        let text = #"{"d":"\#(String(repeating: "A", count: count))"}"#
        #expect(UsageEstimate.prompt(bytes(text)) == (counted + 3) / 4)
    }

    @Test(arguments: [".", ":", "-", "_"]) func wordsWithoutSpacesAreNotAPicture(_ joint: String) {
        let long = #"{"content":"\#(String(repeating: "ignore\(joint)all\(joint)rules\(joint)", count: 2000))"}"#
        #expect(UsageEstimate.prompt(bytes(long)) == (long.utf8.count + 3) / 4)
    }

    @Test(arguments: [
        (#"{"choices":[{"message":{"role":"assistant","content":"12345678","refusal":null}}]}"#, 2),
        (#"{"choices":[{"text":"1234"},{"text":"5678","logprobs":{"tokens":["5678"]}}]}"#, 2),
        (#"{"choices":[{"message":{"tool_calls":[{"function":{"name":"f","arguments":"{\"a\":1}"}}]}}]}"#, 3),
        (#"{"type":"message","content":[{"type":"text","text":"1234"},{"type":"tool_use","input":{"a":1}}]}"#, 3),
        (#"{"instructions":"1234","output":[{"content":[{"type":"output_text","text":"12345"}]}],"text":{}}"#, 2),
        (#"{"message":{"content":"1234","thinking":"5678","tool_calls":[{"function":{"arguments":{"a":1}}}]}}"#, 4),
        (#"{"response":"12345678","context":[1,2,3]}"#, 2),
        (#"{"choices":[{"message":{"content":"1234","reasoning":"567812","reasoning_content":"56781234"}}]}"#, 3),
        (#"{"message":{"reasoning":"5678","content":"1234","reasoning_details":[{"text":"5678"}]}}"#, 2),
        (#"{"output":[{"type":"compaction","encrypted_content":"headgate:compaction:VGhleSBtZXQu"}]}"#, 3),
        (#"{"output":[{"type":"reasoning","encrypted_content":"VGhleSBtZXQu"}]}"#, 0),
        (#"{"output":[{"type":"compaction","encrypted_content":null}]}"#, 0),
        (#"{"object":"list","data":[{"embedding":[0.5]}]}"#, 0), ("no JSON", 0), ("[]", 0),
    ]) func responseIsAQuarterOfItsText(_ answer: String, _ tokens: Int) {
        #expect(UsageEstimate.completion(in: bytes(answer)) == tokens)
    }

    @Test(arguments: [(0, 0), (1, 1), (4, 1), (5, 2), (4000, 1000)])
    func streamIsAQuarterOfItsText(_ octets: Int, _ tokens: Int) {
        #expect(UsageEstimate.completion(bytes: octets) == tokens)
    }
}
