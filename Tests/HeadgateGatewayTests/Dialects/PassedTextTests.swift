import HTTPTypes
import HeadgateHTTP
import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// Text of an upstream that is passed on outside its response body.
@Suite struct PassedTextTests {
    @Test(arguments: [
        "0", "7", "149984", "1.5", "-1", "6m0s", "1.5s", "20ms", "1h2m3.25s", "1d", "17µs", "2026-11-21T00:00:00Z",
        "2026-11-21T00:00:00.123456Z", "2026-11-21T00:00:00+02:00", "Sun, 06 Nov 1994 08:49:37 GMT",
    ])
    func meaningfulLimitHeadersPass(_ value: String) { #expect(RateLimitFields.isValue(value)) }

    @Test(arguments: [
        "", " ", "-", ".", "1.", ".5", "s", "5x", "5s5", "1 2", "sk-real-upstream-key", "5sk", "0x10", "1e9", "٣",
        "2026-11-21", "2026-11-21T00:00:00", "2026-11-21T00:00:00Zsk-1", "2026-11-21T00:00:00.Z", "5, 6", "5s, 6s",
        String(repeating: "1", count: 21), String(repeating: "1s", count: 33),
    ])
    func malformedLimitHeadersDoNotPass(_ value: String) { #expect(!RateLimitFields.isValue(value)) }

    @Test func sixteenLimitsPassAtMost() throws {
        var fields: HTTPFields = [:]
        for number in 0..<40 { fields[try #require(HTTPField.Name("x-ratelimit-limit-\(number)"))] = "\(number)" }
        #expect(RateLimitFields.passed(HeadFields(fields)).map(\.value) == (0..<16).map { "\($0)" })
        let long = try #require(HTTPField.Name("x-ratelimit-" + String(repeating: "x", count: 53)))
        #expect(RateLimitFields.passed(HeadFields([long: "1"])).isEmpty)
        let bad = try #require(HTTPField.Name("x-ratelimit-key"))
        #expect(RateLimitFields.passed(HeadFields([bad: "sk-real-upstream-key"])).isEmpty)
    }

    @Test(arguments: [
        ("audio/mpeg", "audio/mpeg"), ("Audio/WAV; rate=16000", "audio/wav; rate=16000"),
        ("audio/L16;rate=24000;channels=1", "audio/l16; rate=24000; channels=1"),
        ("audio/pcm; rate=24000; key=sk-1", "audio/pcm; rate=24000"), ("video/mp4", "video/mp4"),
        ("audio/ogg; codecs=opus", "audio/ogg"), ("application/octet-stream", "application/octet-stream"),
        ("audio/sk-real-upstream-key", "application/octet-stream"), ("audio/", "application/octet-stream"),
        ("audio/pcm; rate=1234567", "audio/pcm"), ("audio/pcm; rate=", "audio/pcm"), (" audio/mpeg ", "audio/mpeg"),
        ("text/html", nil), ("audio", nil), ("", nil), ("application/json", nil), ("x/audio/mpeg", nil),
    ])
    func typeOfSpeechIsAKnownOne(_ type: String, _ expected: String?) { #expect(SpeechType.passed(type) == expected) }

    @Test(arguments: [
        ("stop", "stop"), ("end_turn", "end_turn"), ("completed", "completed"), ("STOP", "other"), ("", "other"),
        ("sk-real-upstream-key", "other"), ("stop ", "other"),
    ])
    func logHasOnlyKnownFinishReasons(_ text: String, _ word: String) { #expect(FinishReason.word(text.utf8) == word) }

    @Test func secretInAReasonIsNeitherLoggedNorPassed() async throws {
        let choice = #"{"choices":[{"index":0,"message":{"content":"a"},"finish_reason":"sk-real-upstream-key"}]}"#
        let running = InProcessGateway(.json(choice))
        #expect(await running.chat().text == choice.replacing("sk-real-upstream-key", with: "stop"))
        #expect(try running.log.members()["finish_reason"] == "other")
    }
}
