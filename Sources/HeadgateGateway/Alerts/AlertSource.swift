internal import HeadgateConfiguration
internal import HeadgatePrimitives
internal import HeadgateRelay

/// The budgets of one configuration and the state of the process, from which alerts are derived.
package struct AlertView: Sendable {
    private let configured: [LimitRules]
    private let managed: ManagedKeys?
    /// Whether the process started with this configuration, and did not reload it.
    private let isFirst: Bool
    private let counters: Locked<LimitCounters>
    fileprivate let targets: TargetStates

    init(
        _ keys: ClientKeys, _ configuration: Configuration, _ state: GatewayState, managed: ManagedKeys?, isFirst: Bool
    ) {
        let overall = LimitRules(nil, budget: configuration.budget, of: .gateway)
        configured = keys.limits + [overall].compactMap(\.self)
        self.managed = managed
        self.isFirst = isFirst
        counters = state.limits
        targets = state.targets
    }

    /// Returns the use of each budget, and the use that the ledger had recorded before; nil while that is unknown. A
    /// budget that came with a reload has 0 instead, because none of its use was reported.
    ///
    /// - Parameter now: seconds since 1970.
    fileprivate func budgets(at now: Int64) -> [(use: BudgetUse, before: Int?)] {
        var rules = configured
        let known = Set(configured.map(\.subject))
        if let managed {
            // Only managed keys that have made requests. The two locks are taken one after the other, never nested.
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
                let isNew = !isFirst && known.contains(rules.subject)
                return (use, isNew ? 0 : counters.useBefore(of: rules.subject, use.rule, at: now))
            }
        }
    }
}

/// Detector of changes since its last call. It reports each threshold of a budget once in its period, and each change
/// of a breaker once. Pure.
package struct AlertSource {
    private struct BudgetName: Hashable {
        let subject: LimitSubject
        let unit: BudgetRule.Unit
        let period: BudgetConfiguration.Period
    }

    /// Greatest observed use of a budget in one window.
    private struct Peak {
        let end: Int64
        var share: Double
        /// Share that was used before the process started, as first read from the ledger.
        var before: Double?
    }

    private static let thresholds = [80, 100]

    private var peaks: [BudgetName: Peak] = [:]
    private var failing: Set<TargetName> = []

    package init() {}

    /// Returns the alerts that are new since the last call.
    ///
    /// - Parameters:
    ///   - now: monotonic nanoseconds.
    ///   - realtime: nanoseconds since 1970.
    package mutating func alerts(_ view: AlertView, at now: UInt64, realtime: Int64) -> [Alert] {
        budgetAlerts(view.budgets(at: realtime / 1_000_000_000), at: realtime)
            + breakerAlerts(view.targets.failing(at: now), at: realtime)
    }

    mutating func budgetAlerts(_ budgets: [(use: BudgetUse, before: Int?)], at realtime: Int64) -> [Alert] {
        let now = realtime / 1_000_000_000
        peaks = peaks.filter { now < $0.value.end }
        var alerts: [Alert] = []
        for (use, before) in budgets {
            guard let share = use.share else { continue }
            let name = BudgetName(subject: use.subject, unit: use.rule.unit, period: use.rule.period)
            var peak = peaks[name].flatMap { $0.end == use.end ? $0 : nil } ?? Peak(end: use.end, share: 0)
            // Use before the start was reported earlier. The first value stays, because after a reload the ledger also
            // contains later use.
            if peak.before == nil { peak.before = before.map { Double($0) / Double(use.rule.amount) } }
            let reported = max(peak.share, peak.before ?? 0)
            for threshold in AlertSource.thresholds {
                let part = Double(threshold) / 100
                if reported < part, part <= share { alerts.append(Alert(use, threshold: threshold, at: realtime)) }
            }
            peak.share = max(reported, share)
            peaks[name] = peak
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
