import HTTPTypes
import HeadgateConfiguration
import HeadgateDialects
import HeadgateHTTP
import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// Events in reply to a request without `stream`; the client receives one document.
@Suite struct StreamedDocumentTests {
    typealias Plan = PlannedTransport.Plan

    private static let types = ["text/event-stream", "application/json", "text/plain"]

    private func plan(_ text: String, _ type: String = "text/event-stream") -> Plan {
        Plan(headerFields: [.contentType: type], chunks: [text])
    }

    private func stream(_ format: FaultFormat) -> String { format.beginning + format.text("B") + format.end }

    @Test(arguments: FaultLane.all) func eventsBecomeOneDocument(_ lane: FaultLane) async throws {
        let whole = lane.gateway([.json(lane.upstream.document)])
        let expected = await lane.ask(whole, stream: false)
        #expect(expected.status == 200 && expected.text.contains(#""B""#), "\(expected.text)")
        for type in Self.types {
            for prefix in ["", ": comment\n\n", "\n\n", "\u{FEFF}", "retry: 1\n\n"] {
                let gateway = lane.gateway([plan(prefix + stream(lane.upstream), type)])
                let answer = await lane.ask(gateway, stream: false)
                #expect(answer.status == 200, "\(type): \(answer.text)")
                #expect(answer.headerFields[.contentType] == expected.headerFields[.contentType])
                #expect(answer.text.contains(#""B""#) && !answer.text.contains("data:"), "\(type): \(answer.text)")
                let line = try gateway.running.log.members()
                #expect(line["outcome"] == "finished" && line["stream"] != "true", "\(line)")
            }
        }
    }

    /// The log has the usage from the events.
    @Test(arguments: FaultLane.all.filter { $0.upstream != .chat }) func usageStays(_ lane: FaultLane) async throws {
        let gateway = lane.gateway([plan(stream(lane.upstream))])
        _ = await lane.ask(gateway, stream: false)
        let line = try gateway.running.log.members()
        #expect(line["prompt_tokens"] == "9" && line["completion_tokens"] == "12", "\(line)")
    }

    @Test func legacyCompletionsAreAssembledAndChatUsageIsPreserved() async throws {
        let events =
            "data: {\"id\":\"c\",\"choices\":[{\"index\":0,\"text\":\"He\"}]}\n\n"
            + "data: {\"id\":\"c\",\"choices\":[{\"index\":0,\"text\":\"llo\",\"finish_reason\":\"stop\"}],"
            + "\"usage\":{\"prompt_tokens\":3,\"completion_tokens\":2}}\n\ndata: [DONE]\n\n"
        let gateway = RoutedGateway([[plan(events)]])
        let answer = await gateway.running.ask(.post, "/v1/completions", body: #"{"model":"m","prompt":"p"}"#)
        #expect(answer.status == 200)
        #expect(
            answer.text
                == #"{"id":"c","choices":[{"index":0,"text":"Hello","finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":2}}"#
        )
        let line = try gateway.running.log.members()
        #expect(line["prompt_tokens"] == "3" && line["completion_tokens"] == "2" && line["finish_reason"] == "stop")
    }

    /// Nothing is committed yet. After any fault in the events the next target is tried; without one, the response is
    /// 502.
    @Test(arguments: FaultLane.all) func incompleteEventsAreAFault(_ lane: FaultLane) async throws {
        let format = lane.upstream
        var faults = [
            format.beginning, format.beginning + format.text("A"), format.beginning + format.text("A") + format.error,
            format.error, "data: {]\n\n", "event: error\ndata: Internal Server Error\n\n", ": comment\n\n",
            "data: [DONE]\n\n",
        ]
        if format == .responses { faults.append(format.beginning + format.text("A") + FaultFormat.failedResponse) }
        for fault in faults {
            let two = lane.gateway([plan(fault), .json(format.document)], breaks: false)
            let answer = await lane.ask(two, stream: false)
            #expect(answer.status == 200 && answer.text.contains(#""B""#), "\(fault): \(answer.text)")
            #expect(two.sent == [1, 1])
            let one = lane.gateway([plan(fault)], breaks: false)
            let failed = await lane.ask(one, stream: false)
            #expect(failed.status == 502 && failed.text.contains("error"), "\(fault): \(failed.text)")
            #expect(try one.running.log.members()["outcome"] == "upstream_failed")
        }
    }

    @Test func longDocumentsAreReadOffTheLoopAndEndlessOnesRefused() async throws {
        let text = String(repeating: "x", count: 1024)
        let long = Plan.role + String(repeating: Plan.content(text), count: 400) + Plan.finish + Plan.done
        let answer = await RoutedGateway([[plan(long)]]).chat(stream: false)
        #expect(answer.status == 200 && answer.text.contains(String(repeating: text, count: 400)))

        let errors = UpstreamErrorReading(upstream: "up", redaction: SecretRedaction(keys: []))
        func error(_ text: String, eventLimit: Int) -> GatewayError? {
            #expect(throws: GatewayError.self) {
                try StreamedDocument.document(
                    of: Array(text.utf8), in: .chat, errors, eventLimit: eventLimit, mostEvents: 3)
            }
        }
        let comments = ": still here\n\n" + String(repeating: ": still here\n\n", count: 1000)
        #expect(error(comments, eventLimit: 1024)?.code == "upstream_no_content")
        #expect(error(Plan.content(text + text), eventLimit: 1024)?.code == "upstream_oversize_event")
        let many = Plan.content("a") + Plan.content("b") + Plan.content("c") + Plan.finish
        #expect(error(many + Plan.done, eventLimit: 16 << 20)?.code == "upstream_oversize")
        let unclear = "data: {\"choices\":[7]}\n\n" + Plan.done
        #expect(error(unclear, eventLimit: 1 << 20)?.code == "upstream_streaming")
    }

    /// Bodies that are not events, and events on other routes, are not assembled.
    @Test func otherTextsAreUnchanged() async {
        for text in ["no JSON", "<html>", ""] {
            let answer = await RoutedGateway([[plan(text)]]).chat(stream: false)
            #expect(answer.status == 502 && answer.isError(code: "upstream_invalid_json"), "\(answer.text)")
        }
        let embeddings = await RoutedGateway([[plan(Plan.content("B") + Plan.done)]]).running.ask(
            .post, "/v1/embeddings", body: #"{"model":"m","input":"i"}"#)
        #expect(embeddings.status == 502 && embeddings.isError(code: "upstream_invalid_json"))
    }

    /// If a response declares its failure, the next target is tried; without one, the client receives it.
    @Test func failedWholeResponseIsRetriedElsewhere() async throws {
        let lane = FaultLane(client: .responses, upstream: .responses)
        let failed =
            #"{"id":"r","object":"response","status":"failed","error":{"code":"c","message":"no"},"output":[]}"#
        let two = lane.gateway([.json(failed), .json(lane.upstream.document)])
        #expect(await lane.ask(two, stream: false).text.contains(#""B""#))
        #expect(two.sent == [1, 1])
        let one = lane.gateway([.json(failed)])
        let answer = await lane.ask(one, stream: false)
        #expect(answer.status == 200 && answer.text == failed)
        let line = try one.running.log.members()
        #expect(line["outcome"] == "upstream_failed" && line["error"] == "c")
    }
}
