import HeadgateConfiguration
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// Charges of other gateways to the account of a budget.
@Suite struct SharedBudgetTests {
    private static let now: Int64 = 1_800_000_000
    private let rule = BudgetRule(BudgetConfiguration(.tokens(1000), every: .day))
    private let subject = LimitSubject(kind: .key, name: "k")

    private func history(_ tokens: Int) -> BudgetHistory {
        var row = UsageRow("k")
        row.promptTokens = tokens
        return BudgetQuestion(.day, at: Self.now * 1000).history([row]) { _ in nil }
    }

    @Test func higherRemoteUseIsAdopted() {
        var account = BudgetAccount(rule, at: Self.now)
        account.settle(0, used: 10)
        account.learn(300, since: account.window.start)
        #expect(account.spent == 300)
        account.learn(200, since: account.window.start)
        account.learn(900, since: account.window.start - 86_400)
        #expect(account.spent == 300)
    }

    @Test func ledgersShareIsNotAddedAgain() {
        var account = BudgetAccount(rule, at: Self.now)
        account.learn(300, since: account.window.start)
        account.restore(history(250), of: subject)
        #expect(account.spent == 300 && account.isRead)
        var other = BudgetAccount(rule, at: Self.now)
        other.learn(100, since: other.window.start)
        other.restore(history(250), of: subject)
        #expect(other.spent == 250)
    }

    @Test func usageIsReportedOnce() {
        var account = BudgetAccount(rule, at: Self.now)
        account.settle(0, used: 100)
        account.share(5)
        account.share(6)
        #expect(account.tell(1) == (100, 11) && account.tell(1) == (0, 0) && account.tell(2) == (100, 0))
        account.share(7)
        account.roll(to: account.window.end)
        #expect(account.tell(2) == (0, 0))
    }

    @Test func laterLedgerHistoryIsReportedToo() {
        var account = BudgetAccount(rule, at: Self.now)
        account.settle(0, used: 100)
        #expect(account.tell(1) == (100, 0))
        account.restore(history(250), of: subject)
        #expect(account.tell(1) == (350, 0) && account.tell(1) == (0, 0))
    }

    @Test func lostReportIsRepeated() {
        var account = BudgetAccount(rule, at: Self.now)
        account.settle(0, used: 100)
        account.share(5)
        #expect(account.tell(1) == (100, 5))
        account.takeBack(5)
        #expect(account.tell(1) == (100, 5))
    }
}
