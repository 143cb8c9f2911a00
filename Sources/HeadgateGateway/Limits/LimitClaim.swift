/// What one request needs of one subject.
struct LimitClaim: Sendable {
    let rules: LimitRules
    /// Whether the request itself is counted with this claim, and in flight until it is released.
    let isCounted: Bool
    /// Tokens, once the request is read. Without it one token has to be left, and none is taken.
    var reserve: TokenReserve?
    /// Picodollars that it will probably cost, beside the reserve; 0 where no price is known.
    var cost = 0
    /// Picodollars of one token of an answer; 0 where no price is known.
    var outputCost = 0
    /// Of the subject's meter, from when that was looked up.
    private(set) var place = LimitRules.nowhere
    /// Whether it was taken. What is taken with it again is for its tokens alone.
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

    /// Of a request that is read.
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

    /// Its request is not read: nothing of it is reserved.
    mutating func forgetReserve() { (reserve, cost, outputCost) = (nil, 0, 0) }

    /// Units of a rate that have to be left; nil for none. One token is enough, as for budgets.
    func units(of rule: RateRule) -> Int? {
        if rule.measure == .requests { return isCounted && !holds ? 1 : nil }
        return min(1, reserve?.count(rule.measure) ?? 1)
    }

    /// What is taken of a rate.
    func takenUnits(of rule: RateRule) -> Int {
        if rule.measure == .requests { return isCounted && !holds ? 1 : 0 }
        return reserve.map { taken($0, of: rule) } ?? 0
    }

    /// What is taken of a budget, once the request is read.
    func reserved(of unit: BudgetRule.Unit) -> Int? {
        switch unit {
        case .picodollars: reserve == nil ? nil : cost
        case .tokens: reserve?.count(.tokens)
        }
    }

    /// Cost of a response without a price of its own: the reserve's, with this many output tokens.
    func openCost(_ tokens: Int) -> Int {
        let (change, overflows) = (tokens - (reserve?.output ?? 0)).multipliedReportingOverflow(by: outputCost)
        if change < 0, !overflows { return max(0, cost + change) }
        return cost.addingCapped(overflows ? .max : change)
    }

    /// A reserve above the whole limit takes all of it; the rest is counted when the request ends.
    private func taken(_ reserve: TokenReserve, of rule: RateRule) -> Int {
        min(reserve.count(rule.measure), rule.burst)
    }
}
