internal import HeadgateConfiguration
package import HeadgateHTTP

extension RelayHandler {
    /// The targets of a route that requests may be sent to, in the order in which one of them tries them.
    ///
    /// - Parameter affinity: what it has in common with others that go to the same target.
    func candidates(
        of route: ModelRoute, for envelope: RequestEnvelope, at now: UInt64, affinity: UInt64?
    ) -> [AttemptPlan.Candidate] {
        func candidate(_ index: Int) -> AttemptPlan.Candidate {
            AttemptPlan.Candidate(index, keys: route.targets[index].upstreams.count)
        }
        if route.targets.count == 1 { return [candidate(0)] }
        return order(of: route, for: envelope, affinity: affinity, at: now).map(candidate)
    }

    /// The targets that take requests of this operation, as indices in the route: the first to be tried comes first.
    ///
    /// - Parameter affinity: the key of the request; nil without one.
    package func order(of route: ModelRoute, for envelope: RequestEnvelope, affinity: UInt64?, at now: UInt64) -> [Int]
    {
        var taking = route.targets.indices.filter { takes(route.targets[$0]) }
        // What continues a stored response can only be told by the upstream that has it.
        let home = upstream(continuedBy: envelope)
        let atHome = taking.filter { route.targets[$0].upstream.mark == home }
        if !atHome.isEmpty { taking = atHome }
        let listings = route.listings(of: envelope.model)
        var order = TargetOrder()
        order.arrange(
            taking.lazy.map { index in
                TargetCandidate(
                    route.targets[index], for: envelope.model, at: now,
                    listing: listings.isEmpty ? .unknown : listings[index])
            }, by: route.choice, affinity: affinity, random: { .random(in: .min ... .max) })
        return order.indices.map { taking[$0] }
    }

    /// Nil for a request without what the rule asks for.
    func affinityKey(of request: RelayRequest, by rule: AffinityRule) -> UInt64? {
        affinityKey(
            of: request.envelope, request.head.fields, caller: request.metadata.caller.name, by: rule)
    }

    /// - Parameter caller: its name.
    package func affinityKey(
        of envelope: RequestEnvelope, _ fields: HeadFields, caller: String, by rule: AffinityRule
    ) -> UInt64? {
        AffinityKey.of(
            rule, body: envelope.bytes, of: operation, model: envelope.model, fields: fields, caller: caller)
    }
}

extension TargetCandidate {
    /// - Parameter model: the public name.
    package init(_ target: ModelTarget, for model: String, at now: UInt64, listing: Listing) {
        let health = target.limits.health
        self.init(
            weight: target.weight, isUsable: target.isUsable(for: model, at: now),
            requestsInFlight: health.requestsInFlight, averageTime: health.averageTimeToFirstContent(at: now),
            nameHash: target.limits.nameHash, listing: listing)
    }
}

extension ModelTarget {
    /// Whether it is tried before those that have shown a reason to leave them alone.
    ///
    /// - Parameter model: the public name.
    package func isUsable(for model: String, at now: UInt64) -> Bool {
        limits.isUsable(at: now) && limits.keys.hasOneToUse(for: name(of: model), at: now)
    }
}

extension TargetLimits {
    /// The same, whatever its keys are.
    fileprivate func isUsable(at now: UInt64) -> Bool {
        !isOpen(at: now) && !isHinted(at: now) && reach.isHealthy && reach.offlineUntil(at: now) == nil
    }

    /// Whether its breaker keeps requests away.
    package func isOpen(at now: UInt64) -> Bool {
        guard breaker != nil, case .open = health.state(at: now) else { return false }
        return true
    }

    /// Whether another gateway's breaker keeps requests away there.
    package func isHinted(at now: UInt64) -> Bool { breaker != nil && health.hintedUntil(at: now) != nil }
}
