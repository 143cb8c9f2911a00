import HTTPTypes
import HeadgateConfiguration
import HeadgateHTTP
import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// Routes for audio and images: a form goes to the upstream, and the response has any content type.
@Suite struct RelayedFormTests {
    private typealias Plan = PlannedTransport.Plan

    static let routes = [
        ("/audio/transcriptions", "createTranscription"), ("/audio/translations", "createTranslation"),
        ("/images/edits", "createImageEdit"), ("/images/variations", "createImageVariation"),
    ]
    private static let path = "/v1/audio/transcriptions"

    private func post(
        _ gateway: DialectGateway, _ form: String, path: String = path, type: String = SampleForm.contentType,
        key: String? = InProcessGateway.clientKey, more: HTTPFields = [:]
    ) async -> InProcessGateway.Response {
        var fields = more
        fields[.contentType] = type
        return await gateway.post(path, form, headerFields: fields, key: key)
    }

    @Test(arguments: routes, [true, false])
    func formPassesUnderItsModel(_ route: (path: String, operation: String), _ isFirst: Bool) async throws {
        let document = #"{ "text":"A gate.","model":"inner","usage":{"prompt_tokens":8,"total_tokens":8} }"#
        let gateway = DialectGateway(.json(document, headerFields: [.contentType: "application/json"]))
        let form = SampleForm.recording(model: "org/renamed", isModelFirst: isFirst).whole
        for prefix in ["/v1", ""] {
            let answer = await post(gateway, form, path: prefix + route.path)
            #expect(answer.status == 200 && answer.text == document.replacing("inner", with: "org/renamed"))
        }
        #expect(gateway.sent.count == 2)
        let sent = try #require(gateway.openAI.requests.first)
        #expect(sent.head.path == "/v1" + route.path && sent.operationID == route.operation)
        #expect(sent.body == SampleForm.recording(model: "inner", isModelFirst: isFirst).whole)
        #expect(sent.head.headerFields[values: .contentType] == [SampleForm.contentType])
        #expect(sent.head.headerFields[.accept] == "*/*")
        #expect(sent.head.headerFields[.authorization] == "Bearer \(InProcessGateway.upstreamKey)")
    }

    @Test(arguments: [
        ("text/plain; charset=utf-8", "text/plain; charset=utf-8"), ("Text/VTT", "text/vtt"),
        ("application/x-subrip; x=y", "application/x-subrip"), ("text/srt;charset=UTF-8", "text/srt; charset=utf-8"),
    ])
    func textPassesAsItArrives(_ type: String, _ passed: String) async throws {
        let gateway = DialectGateway(Plan(headerFields: [.contentType: type], chunks: ["WEBVTT\n\n", "00:00"]))
        let answer = await post(gateway, SampleForm.recording(model: "plain").whole)
        #expect(answer.status == 200 && answer.text == "WEBVTT\n\n00:00")
        #expect(answer.headerFields[.contentType] == passed)
        #expect(try gateway.running.log.members()["outcome"] == "finished")
    }

    @Test(arguments: ["text/html", "text/javascript", ""]) func anythingElseIsABadGateway(_ type: String) async {
        let gateway = DialectGateway(Plan(headerFields: type.isEmpty ? [:] : [.contentType: type], chunks: ["<p>"]))
        let answer = await post(gateway, SampleForm.recording(model: "plain").whole)
        #expect(answer.status == 502 && answer.isError(code: "upstream_invalid_json"))
    }

    @Test func eventsPassAsAStream() async throws {
        let events = [
            #"data: {"type":"transcript.text.delta","delta":"A "}"# + "\n\n",
            #"data: {"type":"transcript.text.done","text":"A gate.","usage":{"input_tokens":3,"output_tokens":2}}"#
                + "\n\n",
        ]
        let gateway = DialectGateway(Plan(headerFields: [.contentType: "text/event-stream"], chunks: events))
        let answer = await post(gateway, SampleForm.recording(model: "plain").part("stream", "true").whole)
        #expect(answer.status == 200 && answer.headerFields[.contentType]?.hasPrefix("text/event-stream") == true)
        #expect(
            answer.text
                == events.enumerated().map { "event: transcript.text.\($0 == 0 ? "delta" : "done")\n\($1)" }.joined())
        let line = try gateway.running.log.members()
        #expect(line["stream"] == "true" && line["outcome"] == "finished" && line["completion_tokens"] == "2")
        let cut = DialectGateway(
            Plan(headerFields: [.contentType: "text/event-stream"], chunks: [events[0]]))
        #expect(await post(cut, SampleForm.recording(model: "plain").whole).text.contains(#"data: {"error":"#))
    }

    @Test func errorOfTheUpstreamIsReported() async {
        let gateway = DialectGateway(.json(#"{"error":{"message":"too long","code":"c"}}"#, status: 400))
        let answer = await post(gateway, SampleForm.recording(model: "plain").whole)
        #expect(answer.status == 400 && answer.isError(code: "c"))
    }

    // MARK: Refusals

    @Test func unknownModelOfAFormIsRefused() async {
        let gateway = DialectGateway()
        let unknown = await post(gateway, SampleForm.recording(model: "plian").whole)
        #expect(unknown.status == 404 && unknown.isError(code: "model_not_found") && unknown.text.contains("'plain'"))
        let forbidden = await post(
            gateway, SampleForm.recording(model: "two").whole, key: InProcessGateway.limitedKey)
        #expect(forbidden.status == 403)
        let other = await post(gateway, SampleForm.recording(model: "claude").whole)
        #expect(other.status == 400 && other.isError(code: "dialect_not_spoken"))
        #expect(await post(gateway, SampleForm.recording(model: "plain").whole, key: "wrong").status == 401)
        #expect(gateway.sent.isEmpty)
    }

    @Test(arguments: [
        "", "{}", "--\(SampleForm.boundary)--\r\n", SampleForm.recording(model: "plain").text,
        SampleForm().part("file", "x").whole, SampleForm.recording(model: "plain").part("model", "two").whole,
        "\r\n" + SampleForm.recording(model: "plain").whole,
    ])
    func malformedFormIsRefused(_ form: String) async throws {
        let gateway = DialectGateway()
        let answer = await post(gateway, form)
        #expect(answer.status == 400, "\(answer.text)")
        #expect(answer.text.hasPrefix(#"{"error":{"message":"#))
        #expect(try gateway.running.log.members()["outcome"] == "refused")
    }

    @Test(arguments: [
        "application/json", "multipart/form-data", "multipart/mixed; boundary=a",
        "multipart/form-data; boundary=\"a b\"",
        "application/x-www-form-urlencoded",
    ])
    func otherTypeIsRefused(_ type: String) async {
        let gateway = DialectGateway()
        let answer = await post(gateway, SampleForm.recording(model: "plain").whole, type: type)
        #expect(answer.status == 415 && answer.text.contains("multipart/form-data") && gateway.sent.isEmpty)
        let coded = await post(
            gateway, SampleForm.recording(model: "plain").whole, more: [.contentEncoding: "gzip"])
        #expect(coded.status == 415)
    }

    @Test func modelAfterTooManyBytesIsRefused() async {
        let gateway = DialectGateway(bodyLimit: 1000)
        let sound = String(repeating: "x", count: 2000)
        let late = await post(
            gateway, SampleForm.recording(model: "plain", isModelFirst: false, sound: sound).whole)
        #expect(late.status == 413 && late.isError(code: "model_too_late"))
        #expect(late.text.contains("put the part 'model' before the file"))
    }

    @Test func formCannotBeExplained() async throws {
        let gateway = DialectGateway(hasOneKey: true)
        let explain = try #require(HTTPField.Name("x-headgate-explain"))
        let answer = await post(gateway, SampleForm.recording(model: "plain").whole, more: [explain: "1"])
        #expect(answer.status == 400 && answer.isError(code: "not_explained") && gateway.sent.isEmpty)
    }

    // MARK: Several targets

    private func routed(_ gateway: RoutedGateway) async -> InProcessGateway.Response {
        await gateway.running.ask(
            .post, Self.path, headerFields: [.contentType: SampleForm.contentType],
            body: SampleForm.recording(model: "m").whole)
    }

    @Test func sentFormIsNotRetriedElsewhere() async {
        let gateway = RoutedGateway([[.json("{}", status: 500)], [.json("{}")]])
        let answer = await routed(gateway)
        #expect(answer.status == 500 && gateway.sent == [1, 0])
        // The other target was not tried.
        #expect(answer.headerFields[.xHeadgateAttempts] == nil)
    }

    @Test func unreachableTargetLeavesTheFormToTheNext() async {
        let gateway = RoutedGateway([[.failing(.connect)], [.json(#"{"text":"b"}"#)]])
        let answer = await routed(gateway)
        #expect(answer.status == 200 && answer.text == #"{"text":"b"}"# && gateway.sent == [1, 1])
        #expect(gateway.transports[1].requests.map(\.body) == [SampleForm.recording(model: "m").whole])
    }
}
