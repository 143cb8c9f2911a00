internal import HeadgateRelay

/// Actual use of a request that has ended.
struct RequestUse: Sendable {
    private let input: Int
    private let output: Int
    /// Whether the count is incomplete: the client disconnected before the usage arrived, or the upstream does not
    /// report it.
    let isOpen: Bool
    /// Number of bytes of model output that arrived.
    private let bytes: Int
    /// Cost of the request; nil if costs are not calculated, or nothing was used.
    private let cost: RequestCost?

    init(input: Int = 0, output: Int = 0, isOpen: Bool = false, bytes: Int = 0, cost: RequestCost? = nil) {
        self.input = input
        self.output = output
        self.isOpen = isOpen
        self.bytes = bytes
        self.cost = cost
    }

    init(_ outcome: borrowing Outcome) {
        guard outcome.usesTokens, outcome.notes.isEmpty || outcome.notes[.cache] != CacheResult.hit.rawValue
        else {
            // The request used no tokens, or another request has paid for the response.
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
            bytes: outcome.writtenBytes, cost: outcome.notes.cost)
    }

    /// Returns the use that counts against a budget.
    ///
    /// - Parameter claim: claim with the reserve, which fills in an incomplete count.
    func units(_ unit: BudgetRule.Unit, reserved claim: LimitClaim) -> Int {
        switch unit {
        case .tokens: return tokens(.tokens, reserved: claim.reserve ?? .none)
        case .picodollars:
            switch cost {
            case .known(let picodollars)?: return picodollars
            case .unknown?: return openCost(claim)
            case nil: return 0
            }
        }
    }

    func openCost(_ claim: LimitClaim) -> Int { claim.openCost(outputTokens(claim.reserve ?? .none)) }

    func tokens(_ measure: LimitMeasure, reserved reserve: TokenReserve) -> Int {
        switch measure {
        case .requests: 0
        case .tokens: inputTokens(reserve).addingCapped(outputTokens(reserve))
        case .inputTokens: inputTokens(reserve)
        case .outputTokens: outputTokens(reserve)
        }
    }

    private func inputTokens(_ reserve: TokenReserve) -> Int { isOpen && input == 0 ? reserve.input : input }

    private func outputTokens(_ reserve: TokenReserve) -> Int {
        guard isOpen else { return output }
        return max(output, bytes > 0 ? UsageEstimate.completion(bytes: bytes) : reserve.assumedOutput)
    }
}

extension Outcome {
    /// Fills in an incomplete count with the estimate that is charged to a claim.
    mutating func assumeUse(_ claim: LimitClaim) {
        let use = RequestUse(self)
        guard use.isOpen, let reserve = claim.reserve else { return }
        promptTokens = use.tokens(.inputTokens, reserved: reserve)
        if !hasNoCompletion { completionTokens = use.tokens(.outputTokens, reserved: reserve) }
        notes.isEstimated = true
        // Without a price the cost remains unknown, and nothing is charged.
        if claim.cost > 0 || claim.outputCost > 0 { notes.cost = .known(use.openCost(claim)) }
    }
}
