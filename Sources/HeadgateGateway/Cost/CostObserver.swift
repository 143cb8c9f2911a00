internal import HeadgateRelay

/// Observer that notes what each request has cost, for the observers after it.
struct CostObserver: OutcomeObserver {
    let pricing: RequestPricing

    func observe(_ outcome: inout Outcome) {
        guard outcome.model != nil, outcome.notes.isEmpty || outcome.notes.cost == nil else { return }
        if let cost = pricing.cost(of: &outcome) { outcome.notes.cost = cost }
    }
}
