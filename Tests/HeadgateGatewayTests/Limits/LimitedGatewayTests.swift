import HTTPTypes
import HeadgateConfiguration
import HeadgateEventLoop
import HeadgateHTTP
import HeadgatePrimitives
import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// Limits of keys, groups and models, as clients see them.
@Suite struct LimitedGatewayTests {
    private static let answer =
        #"{"choices":[{"finish_reason":"stop"}],"usage":{"prompt_tokens":9,"completion_tokens":4}}"#
    private let state = GatewayState()

    /// - Parameters:
    ///   - key: limits of the requests' key.
    ///   - group: limits of the group that it shares with another key.
    ///   - model: limits of the requested model.
    private func gateway(
        _ plan: PlannedTransport.Plan = .json(answer), key: UsageLimits? = nil, group: UsageLimits? = nil,
        model: UsageLimits? = nil, metrics: (any MetricRecording)? = nil
    ) -> InProcessGateway {
        let transport = PlannedTransport(plan)
        let upstream = UpstreamDefinition(
            name: "up", baseURL: BaseURL(endpoint: .tls(host: "api.example", port: 443), pathPrefix: "/v1"),
            credential: Secret(InProcessGateway.upstreamKey), transport: transport)
        var configured = ModelConfiguration(name: "plain", upstream: "up")
        configured.limits = model
        var keys = Array(InProcessGateway.keys.prefix(2))
        keys[0].limits = key
        if group != nil { for index in keys.indices { keys[index].group = "team" } }
        return InProcessGateway(
            transport: transport, upstreams: [upstream],
            models: [configured, ModelConfiguration(name: "free", upstream: "up")], keys: keys,
            groups: group.map { [GroupConfiguration(name: "team", limits: $0)] } ?? [], metrics: metrics,
            state: state)
    }

    private var inFlight: Int {
        var count = 0
        state.limits.withLock { counters in
            for (kind, name) in [(LimitSubject.Kind.key, "test"), (.group, "team"), (.model, "plain")] {
                count += counters.inFlight(of: LimitSubject(kind: kind, name: name))
            }
        }
        return count
    }

    @Test func requestsAboveTheLimitAreRefusedWithAdvice() async {
        let running = gateway(key: UsageLimits(requests: [RateLimit(2, per: .minute)]))
        let first = await running.chat()
        #expect(first.status == 200 && first.headerFields[.init("x-ratelimit-limit-requests")!] == "2")
        #expect(first.headerFields[.init("x-ratelimit-remaining-requests")!] == "1")
        #expect(await running.chat().status == 200)
        let third = await running.chat()
        #expect(third.status == 429 && third.isError(code: "rate_limit_exceeded"))
        #expect(third.text.contains("The limit of the key 'test' is reached: 2 requests per minute. Try again in 30s."))
        #expect(
            third.headerFields[.retryAfter] == "30"
                && third.headerFields[.init("x-ratelimit-remaining-requests")!] == "0")
        #expect(running.transport.requests.count == 2)
        // Only requests for upstreams count, and another key has its own limit.
        #expect(await running.ask(.get, "/v1/models").status == 200)
        #expect(await running.chat(key: InProcessGateway.limitedKey).status == 200)
    }

    @Test func refusalPrecedesReadingTheBody() async {
        let running = gateway(key: UsageLimits(requests: [RateLimit(1, per: .minute)]))
        #expect(await running.chat().status == 200)
        let answer = await running.ask(.post, "/v1/chat/completions", body: "this is no JSON")
        #expect(answer.status == 429)
    }

    @Test func tokensAreReservedAndThenCountedAsTheyWere() async {
        let running = gateway(key: UsageLimits(tokens: [RateLimit(1000, per: .minute)]))
        let first = await running.chat()
        #expect(first.status == 200 && first.headerFields[.init("x-ratelimit-limit-tokens")!] == "1000")
        let second = await running.chat()
        // The first request used 13 tokens, which are counted once.
        let (before, after) = (remaining(first), remaining(second))
        #expect(before < 500 && (0...13).contains(before - after), "\(before) \(after)")
    }

    private func remaining(_ answer: InProcessGateway.Response) -> Int {
        Int(answer.headerFields[.init("x-ratelimit-remaining-tokens")!] ?? "") ?? -1
    }

    @Test func useAboveTheReserveBlocksTheNextRequest() async {
        let usage = #"{"choices":[{"finish_reason":"stop"}],"usage":{"prompt_tokens":9,"completion_tokens":4000}}"#
        let running = gateway(.json(usage), key: UsageLimits(outputTokens: [RateLimit(1000, per: .minute)]))
        #expect(await running.chat().status == 200)
        let refused = await running.chat()
        #expect(refused.status == 429 && refused.text.contains(#""type":"tokens""#))
        #expect(refused.text.contains("1000 output tokens per minute"))
        #expect(refused.headerFields[.xShouldRetry] == "false" && refused.headerFields[.retryAfterMilliseconds] == nil)
    }

    @Test func failedRequestCostsNoTokens() async {
        let running = gateway(
            .json(#"{"error":{"message":"no"}}"#, status: 400), key: UsageLimits(tokens: [RateLimit(1000, per: .day)]))
        for _ in 0..<20 { #expect(await running.chat().status == 400) }
        let unreachable = gateway(.failing(.connect), key: UsageLimits(tokens: [RateLimit(1000, per: .day)]))
        for _ in 0..<20 { #expect(await unreachable.chat().status == 502) }
    }

    @Test func groupIsSharedByItsKeys() async {
        let running = gateway(group: UsageLimits(requests: [RateLimit(2, per: .hour)]))
        #expect(await running.chat().status == 200)
        #expect(await running.chat(key: InProcessGateway.limitedKey).status == 200)
        let third = await running.chat()
        #expect(third.status == 429 && third.text.contains("group 'team'"))
    }

    @Test func modelIsSharedByItsCallers() async {
        let running = gateway(model: UsageLimits(requests: [RateLimit(2, per: .hour)]))
        #expect(await running.chat().status == 200)
        #expect(await running.chat(key: InProcessGateway.limitedKey).status == 200)
        let third = await running.chat()
        #expect(third.status == 429 && third.text.contains("model 'plain'"))
        #expect(await running.chat(model: "free").status == 200)
    }

    @Test func inFlightCountEndsWithTheOutcome() async {
        let open = PlannedTransport.Plan(
            headerFields: [.contentType: "text/event-stream"], chunks: [Chunk.events(Chunk.content("x"))], end: nil)
        let limits = UsageLimits(inFlight: 1)
        let running = gateway(open, key: limits, group: limits, model: limits)
        let request = await running.open()
        #expect(inFlight == 3)
        let refused = await running.chat()
        #expect(refused.status == 429 && refused.text.contains("1 request in flight") && inFlight == 3)
        request.record.complete(.clientGone)
        #expect(inFlight == 0)
        request.stream?.cancel()
        #expect(await running.chat(stream: true).status == 200)
        #expect(inFlight == 0)
    }

    /// The requests are refused after their key was counted: by another limit, by the model, or because of the body.
    @Test func laterRefusedRequestDoesNotCount() async {
        let running = gateway(
            key: UsageLimits(requests: [RateLimit(3, per: .day)], inFlight: 5),
            model: UsageLimits(requests: [RateLimit(1, per: .day)]))
        #expect(await running.chat().status == 200)
        for _ in 0..<9 { #expect(await running.chat().text.contains("model 'plain'")) }
        #expect(await running.chat(model: "free").status == 200)
        // These requests count, because their bodies were read before they were refused.
        #expect(await running.chat(model: "unknown").status == 404)
        #expect(await running.chat(model: "free").text.contains("key 'test'"))
        #expect(inFlight == 0)
    }

    @Test func explainRequestUsesNothing() async {
        let running = gateway(key: UsageLimits(requests: [RateLimit(1, per: .day)]))
        for _ in 0..<3 { #expect(await running.chat(headerFields: [.init("x-headgate-explain")!: "1"]).status == 200) }
        #expect(await running.chat(headerFields: [.init("x-headgate-explain")!: "0"]).status == 200)
        #expect(await running.chat().status == 429)
    }

    @Test func tokensThatAreOnlyCountedAreNotUsed() async {
        let running = gateway(
            .json(#"{"input_tokens":1}"#), key: UsageLimits(tokens: [RateLimit(600, per: .day)]))
        let body = #"{"model":"plain","messages":[{"role":"user","content":"Hi"}]}"#
        for _ in 0..<9 {
            let counted = await running.ask(.post, "/v1/messages/count_tokens", body: body)
            #expect(counted.headerFields[.init("anthropic-ratelimit-tokens-remaining")!] == "600", "\(counted)")
        }
    }

    @Test func uncountedResponseCostsItsReserve() async {
        let running = gateway(.json(#"{"choices":[{}]}"#), key: UsageLimits(tokens: [RateLimit(8200, per: .day)]))
        #expect(await running.chat().status == 200)
        #expect(await running.chat().status == 200)
        #expect(await running.chat().status == 429)
    }

    @Test func upstreamsLimitHeadersAreNotMixedWithOwn() async {
        let theirs: HTTPFields = [
            .init("x-ratelimit-remaining-tokens")!: "7", .init("x-ratelimit-limit-requests")!: "8",
        ]
        let running = gateway(
            .json(Self.answer, headerFields: theirs), model: UsageLimits(requests: [RateLimit(5, per: .day)]))
        let answer = await running.chat()
        #expect(answer.headerFields[.init("x-ratelimit-limit-requests")!] == "5")
        #expect(answer.headerFields[.init("x-ratelimit-remaining-tokens")!] == nil)
    }

    @Test func refusalsAreCountedAndLogged() async {
        let running = gateway(key: UsageLimits(requests: [RateLimit(1, per: .day)]), metrics: CountedRequests())
        _ = await running.chat()
        _ = await running.chat()
        let metrics = await running.ask(.get, "/metrics").text
        #expect(metrics.contains(#"headgate_limit_refusals_total{limit="requests"} 1"#))
        #expect(metrics.contains(#"headgate_limit_refusals_total{limit="in_flight"} 0"#))
        #expect(running.log.all.contains { $0.contains(#""status":429,"outcome":"refused""#) })
    }

    @Test func messagesRefusalHasAnthropicsFormat() async {
        let running = gateway(key: UsageLimits(requests: [RateLimit(1, per: .minute)]))
        _ = await running.chat()
        let body = #"{"model":"plain","max_tokens":9,"messages":[{"role":"user","content":"Hi"}]}"#
        let refused = await running.ask(.post, "/v1/messages", body: body)
        #expect(refused.status == 429 && refused.text.contains(#""type":"rate_limit_error""#))
        #expect(refused.headerFields[.init("anthropic-ratelimit-requests-remaining")!] == "0")
    }
}

extension InProcessGateway {
    /// Starts a stream and leaves its connection open.
    fileprivate func open() async -> (record: RequestRecord, stream: (any BodySource)?) {
        let record = record()
        let body = Array(#"{"model":"plain","stream":true,"messages":[]}"#.utf8)
        let metadata = InProcessMetadata(
            connection: ConnectionEnds(localAddress: "127.0.0.1", localPort: 8686, remoteAddress: "127.0.0.9"),
            bodyLength: .fixed(body.count), context: record)
        let fields: HTTPFields = [
            .authorization: "Bearer \(InProcessGateway.clientKey)", .contentType: "application/json",
        ]
        let request = HTTPRequest(
            method: .post, scheme: "http", authority: "127.0.0.1:8686", path: "/v1/chat/completions",
            headerFields: fields)
        let response = await response(to: RequestHead(request), body: .bytes(body), metadata)
        guard case .stream(let source)? = response.body else { return (record, nil) }
        source.start(CollectedBody())
        return (record, source)
    }
}
