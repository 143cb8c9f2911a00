internal import HeadgateConfiguration
package import HeadgateHTTP

extension RelayHandler {
    /// Returns the targets of a route that can get a request, in the order in which the request tries them.
    func candidates(
        of route: ModelRoute, for envelope: RequestEnvelope, at now: UInt64, _ selection: TargetSelection
    ) -> [AttemptPlan.Candidate] {
        func candidate(_ index: Int) -> AttemptPlan.Candidate {
            AttemptPlan.Candidate(index, keys: route.targets[index].upstreams.count)
        }
        if route.targets.count == 1 { return [candidate(0)] }
        return order(of: route, for: envelope, selection, at: now).map(candidate)
    }

    /// Returns the targets that take requests of this operation, as indices in the route, in the order in which they
    /// are tried.
    package func order(
        of route: ModelRoute, for envelope: RequestEnvelope, _ selection: TargetSelection, at now: UInt64
    ) -> [Int] {
        let speaking = route.targets.indices.filter { takes(route.targets[$0]) }
        // Only the upstream that has a stored response can continue it.
        let home = upstream(continuedBy: envelope)
        let atHome = speaking.filter { route.targets[$0].upstream.mark == home }
        let taking = atHome.isEmpty ? speaking.filter(selection.includes) : atHome
        let listings = route.listings(of: envelope.model)
        var order = TargetOrder()
        order.arrange(
            taking.lazy.map { index in
                TargetCandidate(
                    route.targets[index], for: envelope.model, at: now,
                    listing: listings.isEmpty ? .unknown : listings[index])
            }, by: route.choice, affinity: selection.affinity, random: { .random(in: .min ... .max) })
        return order.indices.map { taking[$0] }
    }

    /// Returns the selection of a route's targets by a request's own content.
    ///
    /// - Parameters:
    ///   - caller: the name of the caller.
    ///   - group: the name of the caller's group.
    package func selection(
        of envelope: RequestEnvelope, _ fields: HeadFields, caller: String, group: String?, on route: ModelRoute
    ) -> TargetSelection {
        let affinity = route.affinity.flatMap {
            AffinityKey.of(
                $0, body: envelope.bytes, of: operation, model: envelope.model, fields: fields, caller: caller)
        }
        guard route.hasConditions else { return TargetSelection(affinity: affinity) }
        let facts = ConditionFacts(envelope, fields, caller: caller, group: group)
        return TargetSelection(
            affinity: affinity,
            excluded: Set(route.targets.indices.filter { route.targets[$0].condition.map(facts.meet) == false }))
    }
}

/// Selection of a route's targets by a request's own content.
package struct TargetSelection: Sendable {
    /// Affinity key of the request; nil if it has none. All requests with the same key go to the same target.
    package var affinity: UInt64?
    /// Targets whose condition the request does not meet, as indices in the route.
    fileprivate var excluded: Set<Int> = []

    package func includes(_ target: Int) -> Bool { excluded.isEmpty || !excluded.contains(target) }

    /// Text that identifies the excluded targets in the keys of a cache; empty if there are none.
    package var text: String { excluded.sorted().map(String.init).joined(separator: ",") }
}

extension TargetCandidate {
    /// - Parameter model: the public name of the model.
    init(_ target: ModelTarget, for model: String, at now: UInt64, listing: Listing) {
        let health = target.limits.health
        self.init(
            weight: target.weight, isUsable: target.isUsable(for: model, at: now),
            requestsInFlight: health.requestsInFlight, averageTime: health.averageTimeToFirstContent(at: now),
            nameHash: target.limits.nameHash, listing: listing)
    }
}

extension ModelTarget {
    /// Returns whether the target has no known problem. Such targets are tried before the others.
    ///
    /// - Parameter model: the public name of the model.
    package func isUsable(for model: String, at now: UInt64) -> Bool {
        limits.isUsable(at: now) && limits.keys.hasOneToUse(for: name(of: model), at: now)
    }
}

extension TargetLimits {
    /// Returns whether the target has no known problem, regardless of its keys.
    fileprivate func isUsable(at now: UInt64) -> Bool {
        !isOpen(at: now) && !isHinted(at: now) && reach.isHealthy && reach.offlineUntil(at: now) == nil
    }

    /// Returns whether the target's breaker is open.
    package func isOpen(at now: UInt64) -> Bool {
        guard breaker != nil, case .open = health.state(at: now) else { return false }
        return true
    }

    /// Returns whether another gateway reports that its breaker for the target is open.
    package func isHinted(at now: UInt64) -> Bool { breaker != nil && health.hintedUntil(at: now) != nil }
}
