/// What a request has used in the end.
struct RequestUse: Sendable {
    private let input: Int
    private let output: Int
    /// Whether it may have been more, which nobody has counted: then it is not less than what was reserved. The client
    /// has left before the count came, or the upstream does not count.
    let isOpen: Bool
    /// Of a stream, as far as it came: each has brought a token or so.
    let events: Int
    /// Nil for none, as nobody reckons it, or nothing was used.
    private let cost: RequestCost?

    init(input: Int = 0, output: Int = 0, isOpen: Bool = false, events: Int = 0, cost: RequestCost? = nil) {
        self.input = input
        self.output = output
        self.isOpen = isOpen
        self.events = events
        self.cost = cost
    }

    init(_ outcome: borrowing Outcome) {
        guard outcome.usesTokens, outcome.notes.isEmpty || outcome.notes[.cache] != CacheFields.Result.hit.rawValue
        else {
            // Nothing was sent, or another request has paid for it.
            self.init()
            return
        }
        let isOpen =
            switch outcome.upstreamStatus {
            case .some(200..<300): !outcome.isUsageComplete
            case .some: false
            case nil: outcome.mayBeAnsweredUnseen
            }
        self.init(
            input: max(0, outcome.promptTokens ?? 0), output: max(0, outcome.completionTokens ?? 0), isOpen: isOpen,
            events: outcome.isStream ? outcome.events : 0, cost: outcome.notes.cost)
    }

    /// - Parameter claim: what it was taken to use before.
    func units(_ unit: BudgetRule.Unit, reserved claim: LimitClaim) -> Int {
        switch unit {
        case .tokens: return tokens(.tokens, reserved: claim.reserve ?? .none)
        case .picodollars:
            switch cost {
            case .known(let picodollars)?: return picodollars
            case .unknown?: return claim.openCost(events)
            case nil: return 0
            }
        }
    }

    func tokens(_ measure: LimitMeasure, reserved reserve: TokenReserve) -> Int {
        let used =
            switch measure {
            case .requests: 0
            case .tokens: input.addingCapped(output)
            case .inputTokens: input
            case .outputTokens: output
            }
        return isOpen ? max(used, reserve.raised(toOutput: events).count(measure)) : used
    }
}

extension Outcome {
    /// Fills in what nobody has counted, as a claim is charged for it: as an estimate.
    mutating func assumeUse(_ claim: LimitClaim) {
        let use = RequestUse(self)
        guard use.isOpen, let reserve = claim.reserve else { return }
        promptTokens = use.tokens(.inputTokens, reserved: reserve)
        if !hasNoCompletion { completionTokens = use.tokens(.outputTokens, reserved: reserve) }
        notes.isEstimated = true
        // Without a price it stays unknown, and nothing is charged.
        if claim.cost > 0 || claim.outputCost > 0 { notes.cost = .known(claim.openCost(use.events)) }
    }
}
