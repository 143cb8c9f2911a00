import Foundation
import HeadgateClient
import Testing

/// Responses that an app stores.
@Suite struct ChatCompletionTests {
    private static let answer = """
        {"id":"c1","object":"chat.completion","created":1800000000,"model":"smollm2","system_fingerprint":"fp_1",
        "service_tier":"default","choices":[
        {"index":0,"message":{"role":"assistant","content":"Hello"},"finish_reason":"stop","logprobs":{"content":[
        {"token":"Hello","logprob":-0.25,"bytes":[72,101,108,108,111],"top_logprobs":[]}]},"vendor":{"score":1}},
        {"index":1,"message":{"role":"assistant","content":null,"tool_calls":[
        {"id":"t1","type":"function","function":{"name":"weather","arguments":"{\\"city\\":\\"Ulm\\"}"}}]},
        "finish_reason":"tool_calls"}],
        "usage":{"prompt_tokens":3,"completion_tokens":5,"total_tokens":8}}
        """

    private func decoded(_ text: String) throws -> ChatCompletion {
        try JSONDecoder().decode(ChatCompletion.self, from: Data(text.utf8))
    }

    @Test func storedResponseIsDecodedUnchanged() throws {
        let completion = try decoded(Self.answer)
        #expect(completion.text == "Hello" && completion.created == 1_800_000_000)
        #expect(completion.systemFingerprint == "fp_1" && completion.additional == ["service_tier": "default"])
        #expect(completion.choices.map(\.finishReason) == [.stop, .toolCalls])
        #expect(completion.choices[0].logProbabilities != nil && completion.choices[0].additional["vendor"] != nil)
        #expect(completion.choices[1].message.toolCalls.map(\.name) == ["weather"])
        #expect(completion.usage?.totalTokens == 8)
        let kept = try JSONEncoder().encode(completion)
        #expect(try JSONDecoder().decode(ChatCompletion.self, from: kept) == completion)
    }

    @Test func storedResponseHasTheServersFormat() throws {
        let kept = try JSONEncoder().encode(try decoded(Self.answer))
        let members = try #require(try JSONSerialization.jsonObject(with: kept) as? [String: Any])
        let sent = try #require(try JSONSerialization.jsonObject(with: Data(Self.answer.utf8)) as? [String: Any])
        #expect(Set(members.keys) == Set(sent.keys))
        #expect(members["object"] as? String == "chat.completion" && members["service_tier"] as? String == "default")
    }

    @Test func onlyTheChoicesAreRequired() throws {
        let completion = try decoded(#"{"choices":[{"message":{"role":"assistant","content":"Hi"}}]}"#)
        #expect(completion.text == "Hi" && completion.id.isEmpty && completion.usage == nil)
        #expect(throws: DecodingError.self) { try decoded(#"{"id":"c1","model":"m"}"#) }
    }
}
