import HeadgateConfiguration
import HeadgateHTTP
import HeadgatePrices
import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// The cost of a response that several requests share is reported to the first one, whose request was sent, and to no
/// other.
@Suite struct SharedCostTests {
    private typealias Plan = PlannedTransport.Plan

    private static let usage =
        "data: {\"id\":\"c\",\"choices\":[],\"usage\":{\"prompt_tokens\":7,\"completion_tokens\":9}}\n\n"
    private static let rest = Plan.content("B") + Plan.finish + usage + Plan.done
    private static let document =
        #"{"choices":[{"index":0,"message":{"content":"A"},"finish_reason":"stop"}],"#
        + #""usage":{"prompt_tokens":7,"completion_tokens":9}}"#
    private static let vectors = #"{"object":"list","data":[],"usage":{"prompt_tokens":7,"total_tokens":7}}"#
    private static let price = PriceEntry(
        name: "m", price: TokenPrice(input: 1_000_000, output: 1_000_000), source: .file("prices.yaml:1"))

    private let ledger = NotedLedger()
    private let metrics = CountedRequests()
    private let store = ManualStore()

    private func routing(_ onDisconnect: OnDisconnect = .cancel, isStored: Bool = false) -> ManualRouting {
        ManualRouting(
            targets: 1, cacheStore: isStored ? store : nil, prices: PriceList(own: [Self.price]), ledger: ledger,
            metrics: metrics
        ) { model, _ in
            model.cache = CacheConfiguration()
            model.onDisconnect = onDisconnect
        }
    }

    private func begin(_ call: ManualTransport.Call) {
        call.respond()
        call.body.send(Plan.role + Plan.content("A"))
    }

    private func end(_ call: ManualTransport.Call) {
        call.body.send(Self.rest)
        call.body.finish()
    }

    /// Expects that each observer has `requests` reports, and that only the report of the first request has a cost.
    private func expectOnce(_ routing: ManualRouting, _ disconnect: String, requests: Int = 2) throws {
        let lines = routing.log.all.filter { $0.contains(#""cost_usd":0.000016"#) }
        #expect(routing.log.all.count == requests && lines.count == 1, "\(routing.log.all)")
        let line = try #require(lines.first)
        #expect(line.contains(#""prompt_tokens":7,"completion_tokens":9"#) && line.contains(#""cache":"miss""#))
        #expect(line.contains(#""outcome":"client_gone""#) && line.contains(disconnect), "\(line)")
        let paid = ledger.finished.filter { $0.cost != 0 }
        #expect(ledger.finished.count == requests && paid.map(\.cost) == [16_000_000])
        #expect(paid.map(\.promptTokens) == [7] && paid.map(\.source) == [.upstream])
        #expect(metrics.cost == 16_000_000 && metrics.requests == requests)
    }

    @Test(arguments: [true, false]) func departedFirstClientIsChargedAtTheEnd(_ beforeTheHead: Bool) throws {
        let routing = routing()
        let (first, second) = (routing.chat(), routing.chat())
        let call = routing.upstreams[0].calls[0]
        if beforeTheHead { first.leave() }
        begin(call)
        if !beforeTheHead { first.hangUp() }
        #expect(routing.log.all.isEmpty && ledger.finished.isEmpty)
        end(call)
        second.complete()
        try expectOnce(routing, #""after_leaving":"shared""#)
    }

    @Test func wholeResponseIsChargedToTheDepartedFirst() throws {
        let routing = routing()
        let (first, second) = (routing.chat(stream: false), routing.chat(stream: false))
        let call = routing.upstreams[0].calls[0]
        first.leave()
        call.respond(type: "application/json")
        call.body.send(Self.document)
        call.body.finish()
        second.complete()
        try expectOnce(routing, #""after_leaving":"shared""#)
    }

    @Test func embeddingsAreChargedEvenWithoutAClient() throws {
        let routing = routing()
        let first = routing.chat(stream: false, path: "/v1/embeddings")
        let second = routing.chat(stream: false, path: "/v1/embeddings")
        let call = routing.upstreams[0].calls[0]
        first.leave()
        call.respond(type: "application/json")
        call.body.send(Self.vectors)
        call.body.finish()
        second.complete()
        #expect(ledger.finished.map(\.cost) == [7_000_000, 0] && ledger.finished[0].source == .upstream)
    }

    @Test func remainingFirstClientIsChargedAsUsual() {
        let routing = routing()
        let exchanges = [routing.chat(), routing.chat()]
        let call = routing.upstreams[0].calls[0]
        begin(call)
        exchanges[1].hangUp()
        end(call)
        exchanges[0].complete()
        #expect(ledger.finished.map(\.cost) == [0, 16_000_000] && metrics.cost == 16_000_000)
        #expect(routing.log.all.allSatisfy { !$0.contains("after_leaving") })
    }

    @Test func responseThatAllLeaveHasUnknownCost() {
        let routing = routing()
        let exchanges = [routing.chat(), routing.chat()]
        begin(routing.upstreams[0].calls[0])
        for exchange in exchanges { exchange.hangUp() }
        #expect(routing.log.all.count == 2 && routing.log.all.filter { $0.contains(#""cost_usd":null"#) }.count == 1)
        #expect(routing.log.all.allSatisfy { !$0.contains("after_leaving") })
        #expect(ledger.finished.count == 2 && ledger.finished.compactMap(\.cost) == [0])
    }

    @Test func costOfATruncatedResponseIsReportedToTheFirst() {
        let routing = routing()
        let (first, second) = (routing.chat(), routing.chat())
        let call = routing.upstreams[0].calls[0]
        begin(call)
        first.hangUp()
        call.body.fail(.truncatedBody)
        second.complete()
        #expect(routing.log.all.count == 2 && routing.log.all[0].contains(#""after_leaving":"broken""#))
        #expect(ledger.finished.map(\.cost) == [nil, 0])
    }

    @Test func firstClientCanLeaveDuringTheLookup() throws {
        let routing = routing(isStored: true)
        let (first, second) = (routing.chat(), routing.chat())
        first.leave()
        store.answer()
        let call = routing.upstreams[0].calls[0]
        begin(call)
        end(call)
        second.complete()
        try expectOnce(routing, #""after_leaving":"shared""#)
    }

    @Test func abandonedDrainReportsItsCostAtTheEnd() throws {
        let routing = routing(.drain)
        let (first, second) = (routing.chat(), routing.chat())
        let call = routing.upstreams[0].calls[0]
        begin(call)
        first.complete(.clientGone)
        first.hangUp()
        routing.clock.advance(by: .seconds(61))
        #expect(routing.log.all.isEmpty && !call.body.calls.contains("cancel"))
        end(call)
        second.complete()
        try expectOnce(routing, #""after_leaving":"shared""#)
    }

    @Test func shutdownReportsPendingCosts() {
        let state = GatewayState()
        let routing = ManualRouting(targets: 1, ledger: ledger, state: state) { model, _ in
            model.cache = CacheConfiguration()
        }
        let exchanges = [routing.chat(), routing.chat()]
        begin(routing.upstreams[0].calls[0])
        exchanges[0].hangUp()
        #expect(ledger.finished.isEmpty)
        state.endDisconnected()
        #expect(ledger.finished.count == 1 && routing.upstreams[0].calls[0].body.calls.contains("cancel"))
    }
}

extension CountedRequests {
    fileprivate var cost: Int { sum(\.cost) }
    fileprivate var requests: Int { sum(\.requests) }

    private func sum(_ count: KeyPath<RequestSeries, Int>) -> Int {
        var sum = 0
        record { sum = $0.series.reduce(0) { $0 + $1[keyPath: count] } }
        return sum
    }
}
