internal import HeadgateRelay

/// Claim of one request on the limits of one subject.
struct LimitClaim: Sendable {
    let rules: LimitRules
    /// Whether the claim counts the request itself, which is then in flight until its slot is released.
    let isCounted: Bool
    /// Tokens that the request reserves; nil before its body is read. Without a reserve, one token has to be left, and
    /// none is taken.
    var reserve: TokenReserve?
    /// Estimated cost of the reserve in picodollars; 0 if the price is unknown.
    var cost = 0
    /// Estimated cost of one output token in picodollars; 0 if the price is unknown.
    var outputCost = 0
    /// Place of the subject's meter, once the meter was looked up.
    private(set) var place = LimitRules.nowhere
    /// Whether the claim was taken. Taking it again adds only its tokens.
    private(set) var holds = false
    private(set) var isInFlight = false

    /// - Parameter reserve: nil before the request is read.
    init(rules: LimitRules, isCounted: Bool, reserve: TokenReserve?, cost: Int = 0, outputCost: Int = 0) {
        self.rules = rules
        self.isCounted = isCounted
        self.reserve = reserve
        self.cost = cost
        self.outputCost = outputCost
    }

    /// Creates the claim of a request whose body is read.
    init(_ rules: LimitRules, needing need: LimitNeed) {
        self.init(
            rules: rules, isCounted: true, reserve: need.reserve, cost: need.cost, outputCost: need.outputCost)
    }

    mutating func look(at place: Int) { self.place = place }

    mutating func hold() {
        if !holds { isInFlight = isCounted }
        holds = true
    }

    mutating func land() { isInFlight = false }

    /// Removes the reserve, as if the request's body had not been read.
    mutating func forgetReserve() { (reserve, cost, outputCost) = (nil, 0, 0) }

    /// Returns the units of a rate that have to be left; nil if none have to. One token is enough, as for budgets.
    func units(of rule: RateRule) -> Int? {
        if rule.measure == .requests { return isCounted && !holds ? 1 : nil }
        return min(1, reserve?.count(rule.measure) ?? 1)
    }

    /// Returns the units that the claim takes from a rate.
    func takenUnits(of rule: RateRule) -> Int {
        if rule.measure == .requests { return isCounted && !holds ? 1 : 0 }
        return reserve.map { taken($0, of: rule) } ?? 0
    }

    /// Returns the units that the claim reserves in a budget; nil before the request's body is read.
    func reserved(of unit: BudgetRule.Unit) -> Int? {
        switch unit {
        case .picodollars: reserve == nil ? nil : cost
        case .tokens: reserve?.count(.tokens)
        }
    }

    /// Returns the cost of a request whose actual cost is unknown: that of the reserve, with this many output tokens.
    func openCost(_ tokens: Int) -> Int {
        let (change, overflows) = (tokens - (reserve?.output ?? 0)).multipliedReportingOverflow(by: outputCost)
        if change < 0, !overflows { return max(0, cost + change) }
        return cost.addingCapped(overflows ? .max : change)
    }

    /// Returns the tokens that a reserve takes. A reserve above the burst takes all of it; the rest is counted when the
    /// request ends.
    private func taken(_ reserve: TokenReserve, of rule: RateRule) -> Int {
        min(reserve.count(rule.measure), rule.burst)
    }
}
