internal import HeadgateConfiguration
internal import HeadgatePrimitives
internal import HeadgateRelay

/// Budgets of one configuration and the state of the process, from which alerts are read.
package struct AlertView: Sendable {
    private let configured: [LimitRules]
    private let managed: ManagedKeys?
    private let counters: Locked<LimitCounters>
    fileprivate let targets: TargetStates

    init(_ keys: ClientKeys, _ configuration: Configuration, _ state: GatewayState, managed: ManagedKeys?) {
        let overall = LimitRules(nil, budget: configuration.budget, of: .gateway)
        configured = keys.limits + [overall].compactMap(\.self)
        self.managed = managed
        counters = state.limits
        targets = state.targets
    }

    /// Use of each budget, and its use before this process started.
    ///
    /// - Parameter now: seconds since 1970.
    fileprivate func budgets(at now: Int64) -> [(use: BudgetUse, before: Int)] {
        var rules = configured
        if let managed {
            // Of all managed keys, those that have made requests; one after the other, as both are locked.
            let known = Set(configured.map(\.subject))
            let names = counters.withLock { counters in
                counters.places.keys.filter { $0.kind == .key && !known.contains($0) }.map(\.name)
            }
            rules += managed.table.withLock { table in
                names.flatMap(table.limits).filter { !known.contains($0.subject) && $0.subject.kind == .key }
            }
        }
        return counters.withLock { counters in
            rules.compactMap { rules in
                guard let use = counters.budgetUse(of: rules.subject, rules.budget, at: now) else { return nil }
                return (use, counters.useBefore(of: rules.subject, use.rule, at: now))
            }
        }
    }
}

/// Finds what is new since the last look. Each threshold of a budget is reported once in its period, each change of a
/// breaker once. Pure.
package struct AlertSource {
    private struct BudgetName: Hashable {
        let subject: LimitSubject
        let unit: BudgetRule.Unit
        let period: BudgetConfiguration.Period
    }

    /// Greatest part of a budget that was seen in one window.
    private struct Peak {
        let end: Int64
        var share: Double
    }

    private static let thresholds = [80, 100]

    private var peaks: [BudgetName: Peak] = [:]
    private var failing: Set<TargetName> = []

    package init() {}

    /// - Parameters:
    ///   - now: monotonic nanoseconds.
    ///   - realtime: nanoseconds since 1970.
    package mutating func alerts(_ view: AlertView, at now: UInt64, realtime: Int64) -> [Alert] {
        budgetAlerts(view.budgets(at: realtime / 1_000_000_000), at: realtime)
            + breakerAlerts(view.targets.failing(at: now), at: realtime)
    }

    mutating func budgetAlerts(_ budgets: [(use: BudgetUse, before: Int)], at realtime: Int64) -> [Alert] {
        let now = realtime / 1_000_000_000
        peaks = peaks.filter { now < $0.value.end }
        var alerts: [Alert] = []
        for (use, before) in budgets {
            guard let share = use.share else { continue }
            let name = BudgetName(subject: use.subject, unit: use.rule.unit, period: use.rule.period)
            let known = peaks[name].flatMap { $0.end == use.end ? $0.share : nil } ?? 0
            // What was used before the start was reported then.
            let reported = max(known, Double(before) / Double(use.rule.amount))
            for threshold in AlertSource.thresholds {
                let part = Double(threshold) / 100
                if reported < part, part <= share { alerts.append(Alert(use, threshold: threshold, at: realtime)) }
            }
            peaks[name] = Peak(end: use.end, share: max(reported, share))
        }
        return alerts
    }

    mutating func breakerAlerts(_ targets: [TargetName], at realtime: Int64) -> [Alert] {
        let now = Set(targets)
        let changes =
            now.subtracting(failing).map { ($0, true) } + failing.subtracting(now).map { ($0, false) }
        failing = now
        return changes.sorted { ($0.0.upstream, $0.0.model) < ($1.0.upstream, $1.0.model) }
            .map { Alert(breakerOf: $0.0, isOpen: $0.1, at: realtime) }
    }
}
