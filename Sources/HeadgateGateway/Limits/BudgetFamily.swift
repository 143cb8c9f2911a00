internal import HeadgateRelay

/// Metric family of the configured budgets' use.
struct BudgetFamily: Sendable {
    let budgets: BudgetOverview
    /// Nanoseconds since 1970.
    let realtime: @Sendable () -> Int64

    var family: MetricFamily {
        var family = MetricFamily(
            "headgate_budget_used_ratio", .gauge,
            help: "The part of a budget that is used in its hour, day, week or month; above 1 where it was exceeded.")
        for use in budgets.uses(at: realtime() / 1_000_000_000) {
            guard let share = use.share else { continue }
            let labels = [MetricLabel("kind", use.subject.kind.rawValue), MetricLabel("name", use.subject.name)]
            family.add(.number(share), labels)
        }
        return family
    }
}
