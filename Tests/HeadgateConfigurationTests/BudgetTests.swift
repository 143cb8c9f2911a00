import HeadgateConfiguration
import Testing

/// Budgets of keys, groups and the whole gateway for a calendar period.
@Suite struct BudgetTests {
    private func file(_ budget: String, _ rest: String = "") -> String {
        "keys: [{name: k, sha256: \(String(repeating: "ab", count: 32)), budget: \(budget)}]\n\(rest)"
    }

    @Test(arguments: [
        ("{usd: 20, every: month}", BudgetConfiguration(.usd(20_000_000_000_000), every: .month)),
        ("{usd: 0.5, every: hour}", BudgetConfiguration(.usd(500_000_000_000), every: .hour)),
        (
            "{usd: 0.000001, every: day, strict: true}",
            BudgetConfiguration(.usd(1_000_000), every: .day, isStrict: true)
        ),
        ("{tokens: 5M, every: week}", BudgetConfiguration(.tokens(5_000_000), every: .week)),
    ])
    func budgetArrives(_ text: String, _ expected: BudgetConfiguration) throws {
        #expect(try parse(file(text)).keys[0].budget == expected)
        let shared = try parse("groups: {team: {budget: \(text)}}\nbudget: \(text)")
        #expect(shared.groups == [GroupConfiguration(name: "team", budget: expected)] && shared.budget == expected)
        #expect(try parse("{}").budget == nil)
    }

    @Test(arguments: [
        ("{usd: 0, every: day}", "usd: found \"0\", expected USD such as 20 or 0.50"),
        ("{usd: 20 USD, every: day}", "expected USD"), ("{usd: 0.0000001, every: day}", "expected USD"),
        ("{usd: -1, every: day}", "expected USD"), ("{usd: 1000001, every: day}", "expected USD"),
        ("{tokens: 0, every: day}", "tokens: found \"0\", expected a number of tokens"),
        ("{tokens: 5G, every: day}", "expected a number of tokens"),
        ("{usd: 20, every: year}", "every: found \"year\", expected hour, day, week or month"),
        ("{usd: 20}", "budget: for how long? Add every: month (or hour, day, week)"),
        ("{every: day}", "budget: of how much? Add usd: 20 or tokens: 5M"),
        ("{usd: 20, tokens: 5M, every: day}", "budget: it is of usd or of tokens: remove one of them"),
        ("{usd: 20, per: day}", "unknown key \"per\""), ("20", "budget"),
    ])
    func mistakeIsReportedWithItsPlace(_ text: String, _ message: String) {
        let found = issues(file(text))
        #expect(found.contains { $0.hasPrefix("t.yaml:1:") && $0.contains(message) }, "\(found)")
    }

    @Test func strictBudgetNeedsALedger() {
        let strict = "{tokens: 1, every: day, strict: true}"
        #expect(issues(file(strict, "ledger: none")).contains { $0.contains("strict: true needs a ledger") })
        #expect(issues(file(strict, "ledger: memory")).isEmpty)
    }

    @Test(arguments: [
        ("month", "30d", true), ("month", "31d", false), ("week", "6d", true), ("week", "7d", false),
        ("day", "23h", true), ("day", "1d", false), ("hour", "1h", false),
    ])
    func ledgerShorterThanABudgetIsWarnedAbout(_ every: String, _ kept: String, _ isWarned: Bool) throws {
        let budget = file("{tokens: 1, every: \(every)}", "ledger_keep: \(kept)\nledger: ")
        let found = try warnings(budget + "sqlite:/var/lib/usage.db")
        #expect(
            isWarned
                ? found.count == 1
                    && found[0].hasPrefix(
                        "t.yaml:2:1: warning: ledger_keep: a restart forgets some of a budget of each \(every)")
                : found.isEmpty, "\(found)")
        for place in ["none", "memory"] { #expect(try warnings(budget + place).isEmpty) }
    }

    @Test func longestOfSeveralBudgetsIsWarnedAbout() throws {
        let rest = "budget: {tokens: 1, every: day}\ngroups: {a: {budget: {tokens: 1, every: week}}}"
        #expect(
            try warnings("ledger_keep: 2d\n\(rest)") == [
                "t.yaml:1:1: warning: ledger_keep: a restart forgets some of a budget of each week, as the ledger is "
                    + "kept for less: keep it for 7d or longer"
            ])
        #expect(try warnings(rest).isEmpty)
    }

    @Test func budgetOfMoneyNeedsPrices() throws {
        let usd = "{usd: 1, every: day}"
        #expect(try warnings(file(usd, "prices: none")).contains { $0.contains("nothing has a price") })
        let upstreams = "upstreams: {up: {kind: openai, base_url: \"http://127.0.0.1:1/v1\"}, here: {kind: on-device}}"
        let models =
            "models: {gpt-5: {upstream: up}, odd: {upstream: up}, local: {upstream: here}, \"x-*\": {upstream: up}}"
        let found = try warnings(file(usd, "\(upstreams)\n\(models)"))
        #expect(found.count { $0.contains("budget: requests for \"odd\" count nothing, as no price is known") } == 1)
        #expect(try warnings(file("{tokens: 1, every: day}", "\(upstreams)\n\(models)")).isEmpty)
    }
}
