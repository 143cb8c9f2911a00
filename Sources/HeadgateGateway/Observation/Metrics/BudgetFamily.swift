/// What is used of the configured budgets. Keys that are managed at run time are not among them: there may be any
/// number.
struct BudgetFamily: Sendable {
    private let all: [LimitRules]
    private let counters: LimitCounters.Guarded
    /// Nanoseconds since 1970.
    private let realtime: @Sendable () -> Int64

    init(_ keys: ClientKeys, _ policy: LimitPolicy, realtime: @escaping @Sendable () -> Int64) {
        self.realtime = realtime
        all = (keys.limits + [policy.overall].compactMap(\.self)).filter { $0.budget != nil }
        counters = policy.counters
    }

    var family: MetricFamily {
        var family = MetricFamily(
            "headgate_budget_used_ratio", .gauge,
            help: "The part of a budget that is used in its hour, day, week or month; above 1 where it was exceeded.")
        let now = realtime() / 1_000_000_000
        var shares: [Double?] = []
        counters { counters in shares = all.map { counters.budgetShare(of: $0, at: now) } }
        for (rules, share) in zip(all, shares) {
            guard let share else { continue }
            let labels = [
                MetricLabel("kind", rules.subject.kind.rawValue), MetricLabel("name", rules.subject.name),
            ]
            family.add(.number(share), labels)
        }
        return family
    }
}
