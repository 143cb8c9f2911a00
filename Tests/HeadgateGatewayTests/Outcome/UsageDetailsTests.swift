import JSONBytes
import Testing

@testable import HeadgateRelay

@Suite struct UsageDetailsTests {
    @Test(
        arguments: [
            (#"{"usage":{"prompt_tokens":9,"prompt_tokens_details":{"cached_tokens":4,"audio_tokens":0}}}"#, 4, nil),
            (#"{"usage":{"prompt_tokens_details":{"cached_tokens":4,"cache_write_tokens":2}}}"#, 4, 2),
            (#"{"usage":{"input_tokens_details":{"cached_tokens":7}},"x":[1]}"#, 7, nil),
            (#"{"usage":{"prompt_cache_hit_tokens":3,"prompt_cache_miss_tokens":1}}"#, 3, nil),
            (#"{"usage":{"cache_read_input_tokens":5,"cache_creation_input_tokens":6}}"#, 5, 6),
            (#"{"usage":{"cache_read_input_tokens":null,"prompt_tokens_details":null}}"#, nil, nil),
            (#"{"usage":null}"#, nil, nil), (#"{"usage":[{"cached_tokens":1}]}"#, nil, nil), ("[]", nil, nil),
            (#"{"cached_tokens":1}"#, nil, nil),
        ] as [(String, Int?, Int?)]) func everyAPIsNamesAreKnown(_ document: String, _ read: Int?, _ written: Int?)
    {
        let bytes = Array(document.utf8)
        #expect(bytes.withUnsafeBytes { UsageDetails(in: $0) } == UsageDetails(cacheRead: read, cacheWritten: written))
    }

    @Test func promptTotalNeverOverflows() {
        #expect(UsageDetails(cacheRead: 3, cacheWritten: 2).prompt(10, apart: true) == 15)
        #expect(UsageDetails(cacheRead: 3, cacheWritten: 2).prompt(10, apart: false) == 10)
        #expect(UsageDetails(cacheRead: .max, cacheWritten: .max).prompt(.max, apart: true) == .max)
        #expect(UsageDetails(cacheRead: -5).prompt(10, apart: true) == 10)
        #expect(UsageDetails(cacheRead: 3).prompt(nil, apart: true) == nil)
    }

    private func iterations(_ list: String) -> [SpecialUsage.Iteration] {
        Array(list.utf8).withUnsafeBytes { bytes in
            var cursor = JSONCursor(bytes)
            return (try? SpecialUsage.readIterations(&cursor)) ?? []
        }
    }

    @Test func callsOfAResponseAreReadOneByOne() {
        let calls = iterations(
            #"[{"input_tokens":10,"cache_read_input_tokens":5,"output_tokens":3,"model":"m","x":[1]},"#
                + #"{"output_tokens":1,"input_tokens":2},{"input_tokens":2},{"output_tokens":2},7]"#)
        #expect(calls.map(\.prompt) == [15, 2, 0, 0, 0] && calls.map(\.completion) == [3, 1, 0, 0, 0])
        #expect(calls.map(\.isUnknown) == [false, false, true, true, true])
        #expect(calls.map(\.model) == ["m", nil, nil, nil, nil] && calls.first?.details.cacheRead == 5)
    }

    @Test(arguments: [(512, false), (513, true)]) func longNameOfAModelIsUnknown(_ count: Int, _ isUnknown: Bool) {
        let name = String(repeating: "m", count: count)
        let calls = iterations(#"[{"model":"\#(name)","input_tokens":1,"output_tokens":1}]"#)
        #expect(calls.map(\.isUnknown) == [isUnknown])
    }

    @Test(arguments: [(256, 256), (257, 257), (300, 257)]) func callsHaveALimit(_ count: Int, _ read: Int) {
        let call = #"{"input_tokens":1,"output_tokens":1}"#
        let calls = iterations("[\([String](repeating: call, count: count).joined(separator: ","))]")
        #expect(calls.count == read && calls.count { $0.isUnknown } == read - 256)
    }

    @Test func messagesCountTheirCacheSeparately() throws {
        let document =
            #"{"type":"message","usage":{"input_tokens":10,"cache_read_input_tokens":5,"cache_creation_input_tokens":2,"output_tokens":3}}"#
        let whole = try WholeResponse(
            typed: Array(document.utf8), publicModel: nil,
            errors: UpstreamErrorReading(upstream: "u", redaction: SecretRedaction(keys: [])))
        #expect(whole.promptTokens == 17 && whole.completionTokens == 3)
    }
}
