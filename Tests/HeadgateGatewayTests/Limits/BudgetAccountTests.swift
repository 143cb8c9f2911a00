import HeadgateConfiguration
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

@Suite struct BudgetAccountTests {
    private static let now: Int64 = 1_800_000_000
    private let rule = BudgetRule(BudgetConfiguration(.tokens(1000), every: .day))
    private let subject = LimitSubject(kind: .key, name: "k")

    private func history(_ tokens: Int, at now: Int64 = now, _ period: BudgetConfiguration.Period = .day)
        -> BudgetHistory
    {
        var row = UsageRow("k")
        row.promptTokens = tokens
        return BudgetQuestion(period, at: now * 1000).history([row]) { _ in nil }
    }

    @Test func reservationIsSettledByTheUse() {
        var account = BudgetAccount(rule, at: Self.now)
        account.reserve(600)
        account.reserve(500)
        #expect(account.wait(rule, at: Self.now * 1_000_000_000) == LimitRefusal.unknownWait)
        #expect(!account.isUsedUp(rule))
        account.settle(600, used: 10)
        #expect(
            account.wait(rule, at: Self.now * 1_000_000_000) == nil && account.spent == 10 && account.reserved == 500)
        account.settle(500, used: 990)
        #expect(account.isUsedUp(rule) && account.reserved == 0)
        // Until midnight: sixteen hours.
        let untilMidnight: UInt64 = 16 * 3600 * 1_000_000_000
        #expect(account.wait(rule, at: Self.now * 1_000_000_000) == untilMidnight)
    }

    @Test func nextWindowStartsWithRequestsInFlightOnly() {
        var account = BudgetAccount(rule, at: Self.now)
        account.reserve(30)
        account.settle(0, used: 2000)
        account.roll(to: Self.now + 16 * 3600 - 1)
        #expect(account.spent == 2000)
        account.roll(to: Self.now + 16 * 3600)
        #expect(account.spent == 0 && account.reserved == 30 && account.isRead)
        account.settle(30, used: 5)
        #expect(account.spent == 5 && account.window.start == Self.now + 16 * 3600)
    }

    @Test func windowsWithoutUsePushOutNone() {
        var account = BudgetAccount(rule, at: Self.now)
        account.settle(0, used: 700)
        for day in 1...5 { account.roll(to: Self.now + Int64(day) * 86_400) }
        #expect(account.used(at: Self.now) == 700)
    }

    @Test(arguments: [1, 3600, 20 * 3600, 30 * 86_400]) func setBackClockDropsNothing(_ jump: Int64) {
        // Just before midnight.
        let before = Self.now + 16 * 3600 - 1
        var account = BudgetAccount(rule, at: before)
        account.settle(0, used: 700)
        account.roll(to: before + jump)
        #expect(account.spent == 0 && account.used(at: before) == 700)
        account.settle(0, used: 30)
        account.roll(to: before)
        #expect(account.spent == 700 && account.used(at: before + jump) == 30)
        #expect(!account.isIdle(at: before) && !account.isIdle(at: before + 2))
        account.settle(0, used: 300)
        #expect(account.isUsedUp(rule))
        account.roll(to: before + jump)
        #expect(account.spent == 30)
        account.roll(to: before)
        #expect(account.spent == 1000)
    }

    /// After a restart, the ledger reports a window that has already started.
    @Test func startedNextWindowIsContinued() {
        var account = BudgetAccount(rule, at: Self.now)
        account.restore(history(90, at: Self.now + 86_400), of: subject)
        #expect(!account.isRead && account.spent == 0)
        account.restore(history(40), of: subject)
        account.settle(0, used: 2)
        #expect(account.isRead && account.spent == 42)
        account.roll(to: Self.now + 86_400)
        #expect(account.spent == 90)
        account.settle(0, used: 5)
        #expect(account.spent == 95)
    }

    @Test(arguments: BudgetConfiguration.Period.allCases)
    func currentAndNextWindowAreQueried(_ period: BudgetConfiguration.Period) {
        let now = Self.now * 1000 + 7
        let questions = BudgetQuestion.all([period], at: now).map(\.usage)
        #expect(questions.count == 2 && questions[0].until == now && questions.allSatisfy(\.isGateways))
        #expect(questions[0].end == questions[1].since && questions[1].until == questions[1].since)
    }

    @Test func historyIsAddedOnceToLaterUse() {
        var account = BudgetAccount(rule, at: Self.now)
        account.settle(0, used: 7)
        #expect(!account.isRead)
        account.restore(history(500, .hour), of: subject)
        #expect(!account.isRead)
        account.restore(history(500), of: subject)
        account.restore(history(500), of: subject)
        #expect(account.isRead && account.spent == 507)
        var other = BudgetAccount(rule, at: Self.now)
        other.restore(history(500), of: LimitSubject(kind: .key, name: "other"))
        #expect(other.isRead && other.spent == 0)
    }

    @Test func historyExcludesTheAccountsOwnUse() {
        var account = BudgetAccount(rule, at: Self.now)
        account.settle(0, used: 30)
        account.expectHistory()
        account.settle(0, used: 5)
        account.restore(history(40), of: subject)
        #expect(account.isRead && account.spent == 45)
        // The ledger is read again after a reload, and reports less than was used.
        account.expectHistory()
        #expect(account.isRead)
        account.restore(history(44), of: subject)
        #expect(account.spent == 45)
        account.expectHistory()
        account.roll(to: Self.now + 86_400)
        account.restore(history(500, at: Self.now + 86_400), of: subject)
        #expect(account.spent == 0)
    }

    @Test func earlierWindowsHistoryIsIgnored() {
        var account = BudgetAccount(rule, at: Self.now)
        account.restore(history(500, at: Self.now - 86_400), of: subject)
        #expect(account.isRead && account.spent == 0)
        var early = BudgetAccount(rule, at: Self.now - 86_400)
        early.restore(history(500), of: subject)
        #expect(!early.isRead)
    }

    @Test func unusedAccountCanBeDropped() {
        var account = BudgetAccount(rule, at: Self.now)
        #expect(!account.isIdle(at: Self.now))
        account.restore(history(0), of: subject)
        #expect(account.isIdle(at: Self.now))
        account.settle(0, used: 1)
        #expect(!account.isIdle(at: Self.now) && account.isIdle(at: Self.now + 86_400))
        account.reserve(1)
        #expect(!account.isIdle(at: Self.now + 86_400))
    }

    @Test func sumsAreOfKeysOfGroupsAndOfAll() {
        let rows = ["a", "b", ""].map { name in
            var row = UsageRow(name)
            (row.promptTokens, row.completionTokens, row.cost) = (10, 5, 7)
            return row
        }
        let history = BudgetQuestion(.day, at: Self.now * 1000).history(rows) { $0.isEmpty ? nil : "team" }
        #expect(history.sums[.gateway] == BudgetSum(picodollars: 21, tokens: 45))
        #expect(history.sums[LimitSubject(kind: .group, name: "team")] == BudgetSum(picodollars: 14, tokens: 30))
        #expect(history.sums[LimitSubject(kind: .key, name: "b")] == BudgetSum(picodollars: 7, tokens: 15))
    }
}
