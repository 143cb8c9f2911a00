import HTTPTypes
import HeadgateHTTP
import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

@Suite struct SpeechHandlerTests {
    private typealias Plan = PlannedTransport.Plan

    private func speak(_ gateway: DialectGateway, model: String = "plain") async -> InProcessGateway.Response {
        await gateway.post("/v1/audio/speech", #"{"model":"\#(model)","input":"hi","voice":"alloy"}"#)
    }

    @Test(arguments: [
        ("audio/mpeg", "audio/mpeg"), ("Audio/WAV; rate=16000; key=x", "audio/wav; rate=16000"),
        ("application/octet-stream", "application/octet-stream"), ("video/mp4", "video/mp4"),
        ("audio/sk-secret", "application/octet-stream"),
    ])
    func soundPassesUnderAKnownType(_ type: String, _ passed: String) async throws {
        let gateway = DialectGateway(
            Plan(headerFields: [.contentType: type, .setCookie: "a=b"], chunks: ["RIFF", "data"]))
        let answer = await speak(gateway, model: "org/renamed")
        #expect(answer.status == 200 && answer.text == "RIFFdata" && answer.bodyEnds == ["complete"])
        #expect(answer.headerFields[.contentType] == passed && answer.headerFields[.setCookie] == nil)
        #expect(answer.headerFields[.cacheControl] == "no-store")
        let sent = try #require(gateway.openAI.requests.first)
        #expect(sent.head.path == "/v1/audio/speech" && sent.head.headerFields[.accept] == "*/*")
        #expect(sent.body == #"{"model":"inner","input":"hi","voice":"alloy"}"#)
        let line = try gateway.running.log.members()
        #expect(line["operation"] == "createSpeech" && line["outcome"] == "finished" && line["ttft_ms"] != nil)
    }

    @Test(arguments: ["text/html", "application/json", "text/event-stream", "audio", ""])
    func anotherTypeIsABadGateway(_ type: String) async throws {
        let gateway = DialectGateway(Plan(headerFields: type.isEmpty ? [:] : [.contentType: type], chunks: ["{}"]))
        let answer = await speak(gateway)
        #expect(answer.status == 502 && answer.isError(code: "upstream_content_type"))
        #expect(answer.text.contains("speech"))
        #expect(try gateway.running.log.members()["outcome"] == "upstream_failed")
    }

    @Test func errorWithStatus200IsReadOut() async {
        let gateway = DialectGateway(
            .json(#"{"error":{"message":"no voice","code":"c"}}"#, headerFields: [.contentType: "application/json"]))
        let answer = await speak(gateway)
        #expect(answer.status == 502 && answer.isError(code: "c") && answer.text.contains("no voice"))
    }

    @Test func tooLargeErrorBodyIsCancelled() async {
        let gateway = DialectGateway(
            Plan(
                headerFields: [.contentType: "text/html"],
                chunks: [String](repeating: String(repeating: "x", count: 1000), count: 270)))
        #expect(await speak(gateway).isError(code: "upstream_content_type"))
        #expect(gateway.openAI.isCancelled)
    }

    @Test func truncatedSoundHasNoCleanEnd() async throws {
        let gateway = DialectGateway(
            Plan(
                headerFields: [.contentType: "audio/mpeg"], chunks: ["RI"],
                end: .failure(TransportError(.truncatedBody))))
        let answer = await speak(gateway)
        #expect(answer.status == 200 && answer.text == "RI" && answer.bodyEnds == ["failed"])
        let line = try gateway.running.log.members()
        #expect(line["outcome"] == "upstream_failed" && line["error"] == "upstream_incomplete")
    }

    @Test func errorKeepsItsStatus() async {
        let gateway = DialectGateway(.json(#"{"error":{"message":"m","code":"c"}}"#, status: 400))
        let answer = await speak(gateway)
        #expect(answer.status == 400 && answer.isError(code: "c"))
    }
}
