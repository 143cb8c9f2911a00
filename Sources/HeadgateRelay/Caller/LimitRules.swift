package import HeadgateConfiguration
package import Synchronization

/// Subject whose use is limited.
package struct LimitSubject: Hashable, Sendable {
    package enum Kind: String, Sendable {
        case key
        case group
        case model
        /// All requests together.
        case gateway
    }

    package let kind: Kind
    /// Name from the configuration.
    package let name: String

    package init(kind: Kind, name: String) {
        self.kind = kind
        self.name = name
    }

    @inlinable package static func == (left: LimitSubject, right: LimitSubject) -> Bool {
        left.kind == right.kind && left.name == right.name
    }

    package static let gateway = LimitSubject(kind: .gateway, name: "")
}

/// Quantity that a rate counts.
package enum LimitMeasure: String, Sendable, CaseIterable {
    case requests
    /// Tokens of prompts and completions.
    case tokens
    case inputTokens = "input_tokens"
    case outputTokens = "output_tokens"

    @inlinable package static func == (left: LimitMeasure, right: LimitMeasure) -> Bool { left.index == right.index }

    /// Index in ``allCases``.
    @inlinable package var index: Int {
        switch self {
        case .requests: 0
        case .tokens: 1
        case .inputTokens: 2
        case .outputTokens: 3
        }
    }
}

/// One rate of one subject.
package struct RateRule: Sendable {
    package let measure: LimitMeasure
    package let limit: RateLimit
    /// Units that can be used at once.
    package let burst: Int
    package let rate: CellRate
    /// Index of the rate's instant in a ``LimitMeter``. A reload that changes only the number of units keeps it.
    package let slot: Int

    /// Number of rates that a subject can have.
    static let slots = 16

    package init(_ measure: LimitMeasure, _ limit: RateLimit, burst: Int) {
        self.measure = measure
        self.limit = limit
        self.burst = burst
        rate = CellRate(count: limit.count, period: limit.period.length, burst: burst)
        slot = measure.index * 4 + limit.period.index
    }
}

extension RateLimit.Period {
    fileprivate var index: Int {
        switch self {
        case .second: 0
        case .minute: 1
        case .hour: 2
        case .day: 3
        }
    }
}

/// Everything that limits one subject.
package final class LimitRules: Sendable {
    package let subject: LimitSubject
    package let rates: [RateRule]
    /// Maximum number of requests in flight; nil if unlimited.
    package let inFlight: Int?
    package let budget: BudgetRule?
    /// Whether a rule depends on how many tokens requests use.
    package let countsTokens: Bool
    /// Place where the subject's meter was found last: checking it first saves a lookup.
    package let lastPlace = Atomic<Int>(LimitRules.nowhere)
    /// Place of a subject without a meter.
    package static let nowhere = -1

    /// Creates the rules; nil if nothing is limited.
    package init?(_ limits: UsageLimits?, budget: BudgetConfiguration? = nil, of subject: LimitSubject) {
        let limits = limits ?? UsageLimits()
        func rules(_ limits: [RateLimit], _ measure: LimitMeasure, burst: Int? = nil) -> [RateRule] {
            limits.map { RateRule(measure, $0, burst: min(burst ?? $0.count, $0.count)) }
        }
        self.subject = subject
        rates =
            rules(limits.requests, .requests, burst: limits.burst) + rules(limits.tokens, .tokens)
            + rules(limits.inputTokens, .inputTokens) + rules(limits.outputTokens, .outputTokens)
        inFlight = limits.inFlight
        self.budget = budget.map(BudgetRule.init)
        countsTokens = budget != nil || rates.contains { $0.measure != .requests }
        if limits.isEmpty && budget == nil { return nil }
    }

    /// Creates the rules of a group; nil if nothing is limited.
    package convenience init?(of group: GroupConfiguration) {
        self.init(group.limits, budget: group.budget, of: LimitSubject(kind: .group, name: group.name))
    }

    /// Whether a rule depends on the cost of requests.
    package var countsCost: Bool { budget?.unit == .picodollars }
}
