internal import HeadgateConfiguration
internal import HeadgateHTTP

extension RelayHandler {
    /// The targets of a route that requests may be sent to, in the order in which one of them tries them.
    ///
    /// - Parameters:
    ///   - affinity: what it has in common with others that go to the same target.
    ///   - home: the one upstream that can continue a stored response; nil for any.
    func candidates(
        of route: ModelRoute, at now: UInt64, affinity: UInt64?, home: UpstreamMark?
    ) -> [AttemptPlan.Candidate] {
        func candidate(_ index: Int) -> AttemptPlan.Candidate {
            AttemptPlan.Candidate(index, keys: route.targets[index].upstreams.count)
        }
        if route.targets.count == 1 { return [candidate(0)] }
        var taking = route.targets.indices.filter { takes(route.targets[$0]) }
        let atHome = taking.filter { route.targets[$0].upstream.mark == home }
        if !atHome.isEmpty { taking = atHome }
        var order = TargetOrder()
        var generator = SystemRandomNumberGenerator()
        order.arrange(
            taking.lazy.map { TargetCandidate(route.targets[$0], at: now) }, by: route.choice, affinity: affinity,
            using: &generator)
        return order.indices.map { candidate(taking[$0]) }
    }

    /// Nil for a request without what the rule asks for.
    func affinityKey(of request: RelayRequest, by rule: AffinityRule) -> UInt64? {
        AffinityKey.of(
            rule, body: request.envelope.bytes, of: operation, model: request.envelope.model,
            fields: request.head.fields, caller: request.metadata.caller.name)
    }
}

extension TargetCandidate {
    init(_ target: ModelTarget, at now: UInt64) {
        let health = target.limits.health
        self.init(
            weight: target.weight, isUsable: target.limits.isUsable(at: now),
            requestsInFlight: health.requestsInFlight, averageTime: health.averageTimeToFirstContent(at: now),
            nameHash: target.limits.nameHash)
    }
}

extension TargetLimits {
    /// Whether the target is tried before those that have shown a reason to leave them alone.
    func isUsable(at now: UInt64) -> Bool {
        if case .open = health.state(at: now), breaker != nil { return false }
        return reach.isHealthy && reach.offlineUntil(at: now) == nil && keys.hasOneToUse(at: now)
    }
}
