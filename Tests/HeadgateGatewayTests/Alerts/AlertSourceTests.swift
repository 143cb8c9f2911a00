import HeadgateConfiguration
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

@Suite struct AlertSourceTests {
    private static let now: Int64 = 1_800_000_000
    private let subject = LimitSubject(kind: .key, name: "alice")
    private let target = TargetName(upstream: "up", model: "m")

    private func use(_ used: Int?, of amount: Int = 1000, end: Int64 = now + 60) -> BudgetUse {
        BudgetUse(
            subject: subject, rule: BudgetRule(BudgetConfiguration(.tokens(amount), every: .day)), used: used,
            end: end)
    }

    private func texts(_ alerts: [Alert]) -> [String] { alerts.map { String(decoding: $0.json, as: UTF8.self) } }

    @Test func eachThresholdIsReportedOnceInItsPeriod() {
        var source = AlertSource()
        let counts = [0, 799, 800, 900, 999, 1000, 1400].map { used in
            source.budgetAlerts([(use(used), 0)], at: Self.now * 1_000_000_000).count
        }
        #expect(counts == [0, 0, 1, 0, 0, 1, 0])
        // The next window starts from zero.
        let next = use(850, end: Self.now + 120)
        #expect(source.budgetAlerts([(next, 0)], at: (Self.now + 60) * 1_000_000_000).count == 1)
    }

    @Test func bothThresholdsAtOnceAreTwoAlerts() {
        var source = AlertSource()
        let alerts = texts(source.budgetAlerts([(use(2000), 0)], at: Self.now * 1_000_000_000))
        #expect(alerts.count == 2)
        #expect(alerts[0].contains("\"threshold\":80,\"of\":\"key\",\"name\":\"alice\",\"unit\":\"tokens\""))
        #expect(alerts[1].contains("\"threshold\":100,") && alerts[1].contains("\"used\":2000"))
    }

    @Test func useFromBeforeTheStartIsNotReportedAgain() {
        var source = AlertSource()
        // The ledger has not replied yet; later it reports that most had been used before the start.
        #expect(source.budgetAlerts([(use(nil), nil)], at: Self.now * 1_000_000_000).isEmpty)
        #expect(source.budgetAlerts([(use(10), nil)], at: Self.now * 1_000_000_000).isEmpty)
        #expect(source.budgetAlerts([(use(860), 850)], at: Self.now * 1_000_000_000).isEmpty)
        #expect(source.budgetAlerts([(use(1001), 850)], at: Self.now * 1_000_000_000).count == 1)
    }

    @Test func smallerBudgetIsReportedAndLargerOneIsNotReportedTwice() {
        var source = AlertSource()
        #expect(source.budgetAlerts([(use(500), 0)], at: Self.now * 1_000_000_000).isEmpty)
        #expect(source.budgetAlerts([(use(500, of: 600), 0)], at: Self.now * 1_000_000_000).count == 1)
        #expect(source.budgetAlerts([(use(500, of: 1000), 0)], at: Self.now * 1_000_000_000).isEmpty)
        #expect(source.budgetAlerts([(use(850, of: 1000), 0)], at: Self.now * 1_000_000_000).isEmpty)
    }

    @Test func ledgerUseAboveASmallerReloadedBudgetIsReported() {
        var source = AlertSource()
        #expect(source.budgetAlerts([(use(700), 700)], at: Self.now * 1_000_000_000).isEmpty)
        // The ledger was read again, including all uses.
        let alerts = texts(source.budgetAlerts([(use(700, of: 750), 700)], at: Self.now * 1_000_000_000))
        #expect(alerts.count == 1 && alerts[0].contains("\"threshold\":80,"))
    }

    @Test func breakerIsReportedWhenItOpensAndWhenItCloses() {
        var source = AlertSource()
        let states = [[], [target], [target], []].map { source.breakerAlerts($0, at: 0) }
        #expect(states.map(\.count) == [0, 1, 0, 1])
        #expect(texts(states[1])[0].contains("\"state\":\"open\",\"upstream\":\"up\",\"model\":\"m\""))
        #expect(texts(states[3])[0].contains("\"state\":\"closed\""))
    }

    @Test func breakerClosesOnlyAfterASuccess() {
        let states = TargetStates()
        let health = states.health(of: target)
        health.noteFailure(at: 10, threshold: 1, cooldown: 100)
        #expect(states.failing(at: 50) == [target] && states.failing(at: 500) == [target])
        health.noteSuccess()
        #expect(states.failing(at: 500).isEmpty)
    }
}
