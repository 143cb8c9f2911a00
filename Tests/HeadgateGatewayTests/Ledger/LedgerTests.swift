import HTTPTypes
import HeadgateConfiguration
import HeadgateHTTP
import HeadgatePrices
import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// Ledger entries of requests, and when they are written.
@Suite struct LedgerTests {
    private typealias Plan = PlannedTransport.Plan

    private static let price = PriceEntry(
        name: "plain", price: TokenPrice(input: 10_000_000, output: 100_000_000), source: .file("prices.yaml:1"))
    private static let answer = Plan.json(
        #"{"choices":[{"index":0,"finish_reason":"stop"}],"usage":{"prompt_tokens":11,"completion_tokens":4}}"#)

    private func gateway(_ plan: Plan = LedgerTests.answer, _ ledger: NotedLedger) -> InProcessGateway {
        InProcessGateway(plan, prices: PriceList(own: [LedgerTests.price]), ledger: ledger)
    }

    @Test func requestIsStartedPreparedAndFinished() async throws {
        let ledger = NotedLedger()
        _ = await gateway(Self.answer, ledger).chat()
        #expect(ledger.steps == ["begin 1", "prepare 1", "finish 1"])
        let entry = try #require(ledger.finished.first)
        #expect(entry.requestID.utf8.count == 36 && entry.key == "test" && entry.model == "plain")
        #expect(entry.upstream == "up" && entry.status == 200 && entry.outcome == "finished" && entry.attempts == 1)
        #expect(entry.promptTokens == 11 && entry.completionTokens == 4 && entry.source == .upstream)
        #expect(entry.cost == 510_000_000 && !entry.isStream && entry.operation == "createChatCompletion")
        #expect(ledger.prepared.first?.cost == entry.cost && ledger.prepared.first?.outcome == "finished")
    }

    @Test func usualNumbersOfAnEntryStay() {
        var entry = LedgerEntry()
        (entry.startedAt, entry.endedAt, entry.attempts, entry.cost) = (1, 2, 3, 4)
        (entry.promptTokens, entry.completionTokens, entry.cachedTokens) = (5, 6, 7)
        #expect(entry.inRange == entry && LedgerEntry().inRange == LedgerEntry())
    }

    @Test func numbersOfAnEntryAreLimited() {
        func entry(_ number: Int) -> LedgerEntry {
            var entry = LedgerEntry()
            (entry.startedAt, entry.endedAt) = (Int64(number), Int64(number))
            (entry.attempts, entry.cost) = (number, number)
            (entry.promptTokens, entry.completionTokens, entry.cachedTokens) = (number, number, number)
            return entry
        }
        #expect(entry(-1).inRange == entry(0))
        let most = entry(.max).inRange
        #expect(most.startedAt == LedgerEntry.latestTime && most.endedAt == LedgerEntry.latestTime)
        #expect(most.cost == LedgerEntry.largestCost && most.attempts == .max)
        #expect(
            [most.promptTokens, most.completionTokens, most.cachedTokens]
                == Array(repeating: LedgerEntry.largestCount, count: 3))
    }

    @Test func endOfAStreamIsPreparedBeforeItIsPassedOn() async throws {
        let ledger = NotedLedger()
        let usage = "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":11,\"completion_tokens\":4}}\n\n"
        let running = gateway(
            Plan(
                headerFields: [.contentType: "text/event-stream"],
                chunks: [Plan.role, Plan.content("A"), Plan.finish, usage, Plan.done]), ledger)
        _ = await running.chat(stream: true, completes: false)
        #expect(ledger.steps == ["begin 1", "prepare 1"])
        let entry = try #require(ledger.prepared.first)
        #expect(entry.promptTokens == 11 && entry.completionTokens == 4 && entry.cost == 510_000_000)
        #expect(entry.isStream && entry.outcome == "finished")
    }

    @Test func truncatedStreamIsPartialWithUnknownCost() async throws {
        let ledger = NotedLedger()
        let usage = "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":11,\"completion_tokens\":1}}\n\n"
        let running = gateway(
            Plan(
                headerFields: [.contentType: "text/event-stream"], chunks: [Plan.role, Plan.content("A"), usage],
                end: .failure(TransportError(.truncatedBody))), ledger)
        _ = await running.chat(stream: true)
        let entry = try #require(ledger.finished.first)
        #expect(entry.source == .partial && entry.cost == nil && entry.outcome == "upstream_failed")
    }

    @Test(arguments: [RequestEnd.clientGone, .timedOut, .upstreamFailed, .drained])
    func costOfAnUnseenResponseIsUnknown(_ end: RequestEnd) {
        let known = RequestPricing(
            PriceList(own: [LedgerTests.price]),
            models: gateway(Self.answer, NotedLedger()).gateway.snapshot.relay.models)
        var outcome = Outcome(startedAt: 0)
        (outcome.operation, outcome.model, outcome.end) = ("createChatCompletion", "plain", end)
        // No upstream received the request.
        #expect(known?.cost(of: &outcome) == nil)
        outcome.upstream = "up"
        #expect(known?.cost(of: &outcome) == (end == .upstreamFailed ? nil : .unknown))
    }

    @Test func requestsWithoutAModelAreNotRecorded() async {
        let ledger = NotedLedger()
        let running = gateway(Self.answer, ledger)
        for path in ["/livez", "/v1/models", "/status/data", "/nowhere"] { _ = await running.ask(.get, path) }
        _ = await running.chat(key: nil)
        #expect(ledger.steps.isEmpty)
    }

    @Test func countingTokensUsesNone() async {
        let ledger = NotedLedger()
        let running = gateway(Self.answer, ledger)
        for (path, body) in [
            ("/v1/messages/count_tokens", #""messages":[{"role":"user","content":"x"}]"#),
            ("/v1/responses/input_tokens", #""input":"x""#),
        ] {
            let counted = await running.ask(.post, path, body: #"{"model":"plain",\#(body)}"#)
            #expect(counted.status == 200 && ledger.steps.isEmpty)
        }
    }

    @Test func truncatedStreamIsPreparedAsSuch() async throws {
        let ledger = NotedLedger()
        let running = gateway(
            Plan(
                headerFields: [.contentType: "text/event-stream"], chunks: [Plan.role, Plan.content("A")],
                end: .failure(TransportError(.truncatedBody))), ledger)
        _ = await running.chat(stream: true, completes: false)
        #expect(ledger.steps == ["begin 1", "prepare 1"] && ledger.prepared[0].outcome == "upstream_failed")
    }

    @Test func entryHasTheUpstreamsNameAndItsCachedTokens() async throws {
        let ledger = NotedLedger()
        let used = #"{"prompt_tokens":11,"completion_tokens":4,"prompt_tokens_details":{"cached_tokens":10}}"#
        _ = await gateway(.json(#"{"choices":[],"usage":\#(used)}"#), ledger).chat(model: "org/renamed")
        let entry = try #require(ledger.finished.first)
        #expect(entry.model == "org/renamed" && entry.upstreamModel == "inner" && entry.cachedTokens == 10)
        #expect(try #require(ledger.prepared.first).status == 200)
    }

    @Test func withoutPricesTheCostIsUnknownAndNotZero() async throws {
        let ledger = NotedLedger()
        _ = await InProcessGateway(Self.answer, ledger: ledger).chat()
        #expect(ledger.finished.count == 1 && ledger.finished[0].cost == nil)
    }

    @Test func refusedModelIsRecordedWithoutTheClientsText() async throws {
        let ledger = NotedLedger()
        _ = await gateway(Self.answer, ledger).chat(model: "a secret of mine")
        let entry = try #require(ledger.finished.first)
        #expect(entry.model.isEmpty && entry.status == 404 && entry.cost == 0 && entry.outcome == "refused")
    }

    @Test func withoutALedgerNothingIsRecordedAndUsageIsUnavailable() async {
        let running = InProcessGateway(Self.answer)
        let gateway = running.gateway
        let observers = gateway.snapshot.capabilities.observers(in: CapabilityContext(of: gateway.snapshot))
        #expect(!observers.contains { $0 is LedgerNotes })
        #expect(gateway.middlewares(of: .createChatCompletion).isEmpty)
        let answer = await running.ask(.get, "/v1/usage")
        #expect(answer.status == 404 && answer.isError(code: "ledger_off"))
    }
}

/// `GET /v1/usage`
@Suite struct UsageRouteTests {
    private func gateway(_ ledger: NotedLedger) -> InProcessGateway { InProcessGateway(ledger: ledger) }

    @Test func rowsHaveNamesCountsAndCosts() async {
        let ledger = NotedLedger()
        var known = UsageRow("laptop")
        (known.requests, known.promptTokens, known.cost, known.unknownCosts) = (3, 11, 510_000_000, 1)
        known.estimated = 2
        var unknown = UsageRow("other")
        (unknown.requests, unknown.unknownCosts, unknown.unfinished) = (2, 2, 1)
        ledger.answer = [known, unknown]
        let answer = await gateway(ledger).ask(.get, "/v1/usage?since=1h")
        #expect(
            answer.text == #"{"by":"key","since":"1970-01-01T00:00:01.000Z","rows":["#
                + #"{"name":"laptop","requests":3,"prompt_tokens":11,"completion_tokens":0,"cached_tokens":0,"#
                + #""cost_usd":0.00051,"cost_unknown_requests":1,"estimated_requests":2,"unfinished_requests":0},"#
                + #"{"name":"other","requests":2,"prompt_tokens":0,"completion_tokens":0,"cached_tokens":0,"#
                + #""cost_usd":null,"cost_unknown_requests":2,"estimated_requests":0,"unfinished_requests":1}]}"#)
        #expect(ledger.question == UsageQuestion(by: .key, since: 1000))
    }

    @Test func daysAndMinutesAreDates() async {
        let ledger = NotedLedger()
        ledger.answer = [UsageRow("1800000000000")]
        #expect(await gateway(ledger).ask(.get, "/usage?by=day").text.contains(#""name":"2027-01-15""#))
        #expect(await gateway(ledger).ask(.get, "/usage?by=minute").text.contains(#""name":"2027-01-15T08:00Z""#))
    }

    @Test func rowCountsItsRequests() {
        var entry = LedgerEntry()
        (entry.promptTokens, entry.completionTokens, entry.cachedTokens, entry.cost) = (3, 4, 2, 5)
        entry.source = .estimated
        var row = UsageRow("k")
        for _ in 0..<2 { row.add(entry) }
        #expect(row.requests == 2 && row.unfinished == 2 && row.estimated == 2 && row.unknownCosts == 0)
        #expect(row.promptTokens == 6 && row.completionTokens == 8 && row.cachedTokens == 4 && row.cost == 10)
        (entry.outcome, entry.source, entry.cost) = ("finished", nil, nil)
        row.add(entry)
        #expect(row.requests == 3 && row.unfinished == 2 && row.estimated == 2 && row.unknownCosts == 1)
    }

    @Test func rowIsNamedByItsGroup() {
        var entry = LedgerEntry()
        entry.endedAt = 2 * 86_400_000 - 1
        (entry.key, entry.model, entry.upstream) = ("k", "m", "u")
        let groups: [(UsageQuestion.Grouping, String)] = [
            (.key, "k"), (.model, "m"), (.upstream, "u"), (.day, "86400000"), (.minute, "172740000"),
        ]
        for (group, name) in groups { #expect(group.name(of: entry) == name) }
        entry.endedAt += 1
        #expect(UsageQuestion.Grouping.day.name(of: entry) == "172800000")
        #expect(UsageQuestion.Grouping.minute.name(of: entry) == "172800000")
    }

    @Test func valuesCanBeEscaped() async {
        let ledger = NotedLedger()
        #expect(await gateway(ledger).ask(.get, "/v1/usage?by=%6Dodel&since=1%68").status == 200)
        #expect(ledger.question == UsageQuestion(by: .model, since: 1000))
    }

    @Test func minutesCoverOneDay() async throws {
        let ledger = NotedLedger()
        for query in ["by=minute", "by=minute&since=24h", "by=minute&since=1440m", "by=minute&since=25h"] {
            #expect(await gateway(ledger).ask(.get, "/v1/usage?\(query)").status == 200)
            let question = try #require(ledger.question)
            #expect(question.since == 3_601_000 - 86_400_000)
        }
    }

    @Test func rowsOutOfRangeAreClamped() async {
        let ledger = NotedLedger()
        ledger.answer = ["-9223372036854775808", "9223372036854775807", "no number"].map { name in
            var row = UsageRow(name)
            (row.requests, row.cost) = (1, .min)
            return row
        }
        let text = await gateway(ledger).ask(.get, "/v1/usage?by=day").text
        #expect(text.contains(#""name":"1970-01-01""#) && text.contains(#""name":"2262-04-11""#))
        #expect(text.contains(#""cost_usd":0,"#) && !text.contains("cost_usd\":-"))
    }

    @Test func tooManyConcurrentQueriesGetARetryHint() async {
        let ledger = NotedLedger()
        ledger.failure = .busy
        let answer = await gateway(ledger).ask(.get, "/v1/usage")
        #expect(answer.status == 503 && answer.isError(code: "usage_busy"))
        #expect(answer.headerFields[.retryAfter] == "1")
    }

    @Test func tooLargeQueryIsRefusedWithAdvice() async {
        let ledger = NotedLedger()
        ledger.failure = .slow
        let answer = await gateway(ledger).ask(.get, "/v1/usage?since=90d")
        #expect(answer.status == 503 && answer.isError(code: "usage_too_slow"))
        #expect(answer.text.contains("?since=24h") && answer.headerFields[.retryAfter] == nil)
    }

    @Test func responseHasTheLedgersStart() async {
        let ledger = NotedLedger()
        ledger.knownSince = 2_000
        let answer = await gateway(ledger).ask(.get, "/v1/usage?since=1h")
        #expect(answer.text == #"{"by":"key","since":"1970-01-01T00:00:02.000Z","rows":[]}"#)
        #expect(ledger.question?.since == 2_000)
        _ = await gateway(ledger).ask(.get, "/v1/usage?since=1m")
        #expect(ledger.question?.since == 3_541_000)
    }

    @Test func keysSeeTheirOwnUsageAndAdminsAll() async {
        let ledger = NotedLedger()
        _ = await gateway(ledger).ask(.get, "/v1/usage?by=model", key: InProcessGateway.limitedKey)
        #expect(ledger.question?.key == "limited" && ledger.question?.grouping == .model)
        _ = await gateway(ledger).ask(.get, "/v1/usage")
        #expect(ledger.question?.key == nil)
        #expect(await gateway(ledger).ask(.get, "/v1/usage", key: nil).status == 401)
    }

    @Test(arguments: [
        "by=color", "by=", "since=", "since=7", "since=d", "since=-1d", "since=0d", "since=1y",
        "since=1234567890s", "since=%3", "since=7%00d",
    ]) func invalidQueryIsRefused(_ query: String) async {
        let answer = await gateway(NotedLedger()).ask(.get, "/v1/usage?\(query)")
        #expect(answer.status == 400 && answer.isError(code: "invalid_value"))
    }
}
