import HTTPTypes
import HeadgateConfiguration
import HeadgateFaults
import HeadgateHTTP
import HeadgatePrices
import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// Spans of traced requests, and the trace context sent to upstreams.
@Suite struct TracedRequestTests {
    private let spans = CollectedSpans()
    private static let trace = "4bf92f3577b34da6a3ce929d0e0e4736"
    private static let parent = "00-\(trace)-00f067aa0ba902b7-01"
    private static let answer =
        #"{"id":"c-1","model":"inner-2026","choices":[{"index":0,"message":{"role":"assistant","content":"hi"},"#
        + #""finish_reason":"stop"}],"usage":{"prompt_tokens":7,"completion_tokens":3,"total_tokens":10,"#
        + #""prompt_tokens_details":{"cached_tokens":5}}}"#

    private func sent(_ request: PlannedTransport.Request?, _ name: HTTPField.Name) -> String? {
        request?.head.headerFields[name]
    }

    @Test func requestAndItsAttemptAreInOneTrace() async throws {
        let running = InProcessGateway(.json(Self.answer), tracing: try spans.tracing())
        #expect(await running.chat(model: "org/renamed", extra: #","temperature":0.5"#).status == 200)
        let (server, attempt) = (try #require(spans.server), try #require(spans.attempts.first))
        #expect(spans.all.count == 2 && spans.open == 0)
        #expect(server.parent == nil && attempt.parent == server.context.spanID)
        #expect(attempt.context.traceID == server.context.traceID)
        #expect(server.name == "POST /v1/chat/completions" && attempt.name == "chat inner")
        #expect(server.start >= InProcessGateway.now - 1_000_000_000 && server.start < attempt.start)
        #expect(attempt.start < attempt.end && attempt.end < server.end)
        #expect(server.error == nil && attempt.error == nil)
        // The upstream receives the attempt's span as its parent.
        let request = running.transport.requests.first
        #expect(sent(request, .traceparent) == attempt.context.traceparent)
        #expect(sent(request, .tracestate) == nil)
    }

    @Test func spansHaveTheConventionsAttributes() async throws {
        let running = InProcessGateway(.json(Self.answer), prices: PriceList(), tracing: try spans.tracing())
        _ = await running.chat(model: "org/renamed", extra: #","temperature":0.5,"conversation":"what a client likes""#)
        let (server, attempt) = (try #require(spans.server), try #require(spans.attempts.first))
        #expect(server.value("http.response.status_code") == .number(200))
        #expect(server.text("http.route") == "/v1/chat/completions" && server.text("http.request.method") == "POST")
        #expect(server.text("headgate.key") == "test" && server.text("headgate.upstream") == "up")
        #expect(server.text("headgate.model") == "org/renamed" && server.text("client.address") == "127.0.0.9")
        #expect(server.text("url.path") == "/v1/chat/completions" && server.text("headgate.outcome") == "finished")
        #expect(attempt.text("gen_ai.operation.name") == "chat" && attempt.text("gen_ai.provider.name") == "up")
        #expect(attempt.text("gen_ai.request.model") == "inner" && attempt.text("gen_ai.response.id") == "c-1")
        #expect(attempt.text("gen_ai.response.model") == "inner-2026")
        #expect(attempt.value("gen_ai.request.temperature") == .fraction(0.5))
        #expect(attempt.value("gen_ai.conversation.id") == nil)
        #expect(attempt.value("gen_ai.response.finish_reasons") == .texts(["stop"]))
        #expect(attempt.value("gen_ai.usage.input_tokens") == .number(7))
        #expect(attempt.value("gen_ai.usage.output_tokens") == .number(3))
        #expect(attempt.text("server.address") == "api.example" && attempt.value("server.port") == .number(443))
        #expect(attempt.value("http.response.status_code") == .number(200))
        #expect(attempt.value("gen_ai.usage.cache_read.input_tokens") == .number(5))
        // Tokens are reported only once, and content is not reported.
        #expect(server.value("gen_ai.usage.input_tokens") == nil)
        #expect(spans.all.flatMap(\.attributes).allSatisfy { !$0.name.contains("messages") })
    }

    @Test func streamReportsItsFirstContent() async throws {
        let running = InProcessGateway(.stream("a", "b"), tracing: try spans.tracing())
        #expect(await running.chat(stream: true).text.hasSuffix("data: [DONE]\n\n"))
        let (server, attempt) = (try #require(spans.server), try #require(spans.attempts.first))
        #expect(server.events.map(\.name) == ["first_content"] && attempt.events.map(\.name) == ["first_content"])
        #expect(server.events[0].time == attempt.events[0].time)
        #expect(attempt.start < attempt.events[0].time && attempt.events[0].time <= attempt.end)
        #expect(attempt.value("gen_ai.request.stream") == .flag(true))
        guard case .fraction(let seconds)? = attempt.value("gen_ai.response.time_to_first_chunk") else {
            Issue.record("no time to the first chunk")
            return
        }
        #expect(seconds > 0 && attempt.value("gen_ai.response.finish_reasons") == .texts(["stop"]))
    }

    @Test func callersTraceContinues() async throws {
        let running = InProcessGateway(.json(Self.answer), tracing: try spans.tracing())
        _ = await running.chat(headerFields: [
            .traceparent: Self.parent, .tracestate: "a=1,b=2", .known("baggage"): "k=v",
        ])
        let (server, attempt) = (try #require(spans.server), try #require(spans.attempts.first))
        #expect("\(server.context.traceID)" == Self.trace && server.parent?.description == "00f067aa0ba902b7")
        #expect(server.isParentRemote && !attempt.isParentRemote && attempt.context.state == "a=1,b=2")
        let request = running.transport.requests.first
        #expect(sent(request, .traceparent)?.hasPrefix("00-\(Self.trace)-\(attempt.context.spanID)-01") == true)
        #expect(sent(request, .tracestate) == "a=1,b=2" && sent(request, .known("baggage")) == nil)
        #expect(running.log.all.first?.contains(#""trace_id":"\#(Self.trace)""#) == true)
    }

    @Test func damagedContextStartsANewTrace() async throws {
        let running = InProcessGateway(.json(Self.answer), tracing: try spans.tracing())
        let fields: HTTPFields = [.traceparent: "00-\(Self.trace)-0-01", .tracestate: "a=1"]
        #expect(await running.chat(headerFields: fields).status == 200)
        #expect(spans.server.map { "\($0.context.traceID)" != Self.trace && $0.parent == nil } == true)
        #expect(sent(running.transport.requests.first, .tracestate) == nil)
    }

    @Test func callersSamplingDecisionIsFollowed() async throws {
        let running = InProcessGateway(.json(Self.answer), tracing: try spans.tracing())
        let unsampled = "00-\(Self.trace)-00f067aa0ba902b7-00"
        _ = await running.chat(headerFields: [.traceparent: unsampled])
        #expect(spans.all.isEmpty && spans.open == 0)
        // The upstream still receives the client's trace context.
        let passed = try #require(sent(running.transport.requests.first, .traceparent))
        #expect(passed.hasPrefix("00-\(Self.trace)-") && passed.hasSuffix("-00") && passed != unsampled)
        #expect(running.log.all.first?.contains(Self.trace) == true)
    }

    @Test func ratioDecidesWithoutACallersDecision() async throws {
        let none = InProcessGateway(.json(Self.answer), tracing: try spans.tracing(TraceSampling(ratio: 0)))
        _ = await none.chat()
        #expect(spans.all.isEmpty)
        _ = await none.chat(headerFields: [.traceparent: Self.parent])
        #expect(spans.all.count == 2)
        let own = TraceSampling(ratio: 0, followsCallers: false)
        let stubborn = InProcessGateway(.json(Self.answer), tracing: try spans.tracing(own))
        _ = await stubborn.chat(headerFields: [.traceparent: Self.parent])
        #expect(spans.all.count == 2)
    }

    @Test func ratioIsOfTheTracesIDAlone() {
        let sampling = TraceSampling(ratio: 0.25)
        #expect(sampling.takes(TraceID(high: 9, low: 0x3FFF_FFFF_FFFF_FFFF)))
        #expect(!sampling.takes(TraceID(high: 0, low: 0x4000_0000_0000_0001)))
        #expect(TraceSampling(ratio: 1).takes(TraceID(high: 0, low: .max - 0xFFFF)))
    }

    @Test func refusedRequestIsTracedWithoutAServerError() async throws {
        let running = InProcessGateway(.json("{}"), tracing: try spans.tracing())
        #expect(await running.chat(key: "wrong").status == 401)
        let server = try #require(spans.server)
        #expect(spans.all.count == 1 && server.error == nil)
        #expect(server.value("http.response.status_code") == .number(401) && server.text("error.type") != nil)
        #expect(await running.ask(.get, "/livez").status == 200)
        #expect(spans.all.count == 1)
    }

    @Test func failedAttemptAndItsSuccessorAreBothTraced() async throws {
        let routed = RoutedGateway([[.failing(.connect)], [.stream("b")]], tracing: try spans.tracing())
        #expect(await routed.chat().status == 200)
        let attempts = spans.attempts
        try #require(attempts.count == 2)
        let server = try #require(spans.server)
        #expect(attempts.allSatisfy { $0.parent == server.context.spanID })
        #expect(attempts.map { $0.text("headgate.upstream") } == ["a", "b"])
        #expect(attempts[0].error == "upstream_connect" && attempts[1].error == nil, "\(attempts[0])")
        #expect(attempts[1].value("http.request.resend_count") == .number(1))
        #expect(attempts[0].value("gen_ai.response.finish_reasons") == nil)
        #expect(attempts[1].value("gen_ai.response.finish_reasons") == .texts(["stop"]))
        #expect(server.events.map(\.name) == ["retry", "first_content"] && server.error == nil)
        #expect(server.value("headgate.attempts") == .number(2))
        #expect(
            zip(routed.transports, attempts).allSatisfy {
                sent($0.requests.first, .traceparent) == $1.context.traceparent
            })
    }

    @Test func errorInsideASuccessIsTheAttempts() async throws {
        let broken = PlannedTransport.Plan.broken("data: {\"error\":{\"message\":\"no\"}}\n\n")
        let routed = RoutedGateway([[broken], [.stream("b")]], tracing: try spans.tracing())
        #expect(await routed.chat().status == 200)
        #expect(spans.attempts.map(\.error) == ["upstream_error", nil])
    }

    @Test func statusOfAnUpstreamIsTheErrorOfItsAttempt() async throws {
        let running = InProcessGateway(.json("{}", status: 503), tracing: try spans.tracing())
        #expect(await running.chat().status == 503)
        #expect(spans.attempts.map(\.error) == ["503"] && spans.server?.error == "status_503")
    }

    @Test func truncatedStreamIsAnErrorOfBothSpans() async throws {
        let running = InProcessGateway(.broken(PlannedTransport.Plan.content("a")), tracing: try spans.tracing())
        _ = await running.chat(stream: true)
        let attempt = try #require(spans.attempts.first)
        #expect(attempt.error != nil && attempt.value("http.response.status_code") == .number(200))
        #expect(spans.server?.text("error.type") == spans.server.flatMap { $0.text("error.type") })
        #expect(attempt.events.map(\.name) == ["first_content"])
    }

    @Test func injectedFaultIsAnEventOfItsAttempt() async throws {
        let fault = FaultInjectionConfiguration(
            isEnabled: true, rules: [FaultRule(upstream: "a", fault: try Fault(parsing: "status=500"))])
        let routed = RoutedGateway([[.stream("a")], [.stream("b")]], tracing: try spans.tracing(), faults: fault)
        #expect(await routed.chat().status == 200)
        try #require(spans.attempts.count == 2)
        #expect(spans.attempts[0].events.map(\.name) == ["fault_injected"] && spans.attempts[0].error == "500")
        #expect(spans.attempts[0].text("headgate.fault") == "status=500")
        #expect(!spans.attempts[1].events.contains { $0.name == "fault_injected" })
        #expect(spans.server?.events.map(\.name) == ["fault_injected", "retry", "first_content"])
    }

    @Test func forwardedTraceHeadersAreUnchanged() async throws {
        let routed = RoutedGateway([[.stream("a")]], tracing: try spans.tracing()) { _, upstreams in
            upstreams[0].forwardedHeaders = ["traceparent"]
        }
        _ = await routed.chat(headerFields: [.traceparent: Self.parent])
        #expect(sent(routed.transports[0].requests.first, .traceparent) == Self.parent)
    }

    @Test func disabledTracingAddsNothing() async throws {
        let running = InProcessGateway(.json(Self.answer))
        _ = await running.chat(headerFields: [.traceparent: Self.parent])
        #expect(sent(running.transport.requests.first, .traceparent) == nil)
        #expect(running.log.all.first?.contains("trace") == false)
    }

    @Test func contentIsRecordedOnRequest() async throws {
        let running = InProcessGateway(.json(Self.answer), tracing: try spans.tracing(content: true))
        _ = await running.ask(
            .post, "/v1/chat/completions", body: #"{"model":"plain","messages":[{"role":"user","content":"say hi"}]}"#)
        let attempt = try #require(spans.attempts.first)
        #expect(
            attempt.text("gen_ai.input.messages")
                == #"[{"role":"user","parts":[{"type":"text","content":"say hi"}]}]"#)
        #expect(
            attempt.text("gen_ai.output.messages")
                == #"[{"role":"assistant","parts":[{"type":"text","content":"hi"}],"finish_reason":"stop"}]"#)
    }

    @Test func contentOfAStreamIsRecorded() async throws {
        let running = InProcessGateway(.stream("a", "b"), tracing: try spans.tracing(content: true))
        _ = await running.chat(stream: true)
        #expect(
            spans.attempts.first?.text("gen_ai.output.messages")
                == #"[{"role":"assistant","parts":[{"type":"text","content":"ab"}],"finish_reason":"stop"}]"#)
    }
}
