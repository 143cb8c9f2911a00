import HeadgateConfiguration
import HeadgateEventLoop
import HeadgateHTTP
import HeadgatePrices
import HeadgatePrimitives
import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// A budget is charged exactly what the ledger reports, so that a restart restores it.
@Suite struct BudgetLedgerTests {
    private typealias Plan = PlannedTransport.Plan

    private static let price = PriceEntry(
        name: "m", price: TokenPrice(input: 1_000_000, output: 2_000_000), source: .builtIn)
    private let state = GatewayState()
    private let ledger = NotedLedger()

    enum End: CaseIterable {
        case left, leftAtOnce, leftWhole, leftUnanswered, broken, uncounted, counted, failed
    }

    private func routing(_ budget: BudgetConfiguration, isPriced: Bool = true) -> ManualRouting {
        return ManualRouting(
            targets: 1, prices: isPriced ? PriceList(own: [Self.price]) : nil, ledger: ledger, budget: budget,
            state: state)
    }

    private func run(_ end: End, _ routing: ManualRouting) {
        let isStream = ![.leftWhole, .uncounted, .counted, .failed].contains(end)
        let exchange = routing.chat(stream: isStream)
        let call = routing.upstreams[0].calls[0]
        switch end {
        case .left:
            call.respond()
            call.body.send(Plan.role + String(repeating: Plan.content("A"), count: 900))
            return exchange.hangUp()
        case .leftAtOnce:
            call.respond()
            call.body.send(Plan.role)
            return exchange.hangUp()
        case .leftWhole, .leftUnanswered: return exchange.leave()
        case .broken:
            call.respond()
            call.body.send(Plan.role + Plan.content("A"))
            call.body.fail(.truncatedBody)
        case .failed: call.respond(500, type: "application/json")
        case .uncounted:
            call.respond(type: "application/json")
            call.body.send(#"{"choices":[{"message":{"content":"12345678"},"finish_reason":"stop"}]}"#)
        case .counted:
            call.respond(type: "application/json")
            call.body.send(
                #"{"choices":[{"message":{},"finish_reason":"stop"}],"usage":{"prompt_tokens":7,"completion_tokens":9}}"#
            )
        }
        call.body.finish()
        exchange.complete()
    }

    private static let budgets = [
        BudgetConfiguration(.usd(1_000_000_000_000), every: .day), BudgetConfiguration(.tokens(1_000_000), every: .day),
    ]

    @Test(arguments: BudgetLedgerTests.End.allCases, BudgetLedgerTests.budgets)
    func chargesSurviveARestart(_ end: End, _ budget: BudgetConfiguration) throws {
        run(end, routing(budget))
        let rule = BudgetRule(budget)
        let now = InProcessGateway.now / 1_000_000_000
        let charged = state.limits.withLock { $0.budgetUse(of: .gateway, rule, at: now)?.used }
        var row = UsageRow("")
        for entry in ledger.finished { row.add(entry) }
        let history = BudgetQuestion(.day, at: now * 1000).history([row]) { _ in nil }
        #expect(history.sums[.gateway]?[rule.unit] == charged, "\(ledger.finished)")
        #expect(end == .failed ? charged == 0 : charged ?? 0 > 0)
        let entry = try #require(ledger.finished.last)
        switch end {
        case .failed: #expect(entry.source == nil)
        case .counted: #expect(entry.source == .upstream && charged == (rule.unit == .tokens ? 16 : 25_000_000))
        default: #expect(entry.source == .estimated)
        }
        // The estimate is one token per four bytes; without any bytes, it is that of a request that states no maximum.
        if end == .left { #expect(entry.completionTokens == 225) }
        if end == .leftAtOnce { #expect(entry.completionTokens == TokenReserve.standardOutput) }
    }

    /// Without a budget nothing is estimated.
    @Test func withoutABudgetItStaysUnknown() throws {
        let routing = ManualRouting(targets: 1, prices: PriceList(own: [Self.price]), ledger: ledger)
        run(.left, routing)
        let entry = try #require(ledger.finished.last)
        #expect(entry.promptTokens == nil && entry.completionTokens == nil && entry.cost == nil)
    }

    @Test func unpricedRequestIsUnknownAndNotCharged() throws {
        let budget = BudgetConfiguration(.usd(1_000_000_000_000), every: .day)
        run(.left, routing(budget, isPriced: false))
        let entry = try #require(ledger.finished.last)
        #expect(entry.cost == nil && entry.source == .estimated)
        let now = InProcessGateway.now / 1_000_000_000
        let charged = state.limits.withLock { $0.budgetUse(of: .gateway, BudgetRule(budget), at: now)?.used }
        #expect(charged == 0)
    }
}
