package import HeadgatePrices

extension ModelRoute {
    /// Returns the tiers in which an upstream can process a request.
    ///
    /// A request that selects no tier can get the tier of the provider's own settings. A request that selects a faster
    /// tier can get a slower one.
    package func tiers(of envelope: RequestEnvelope, for caller: ClientKey) -> ServiceTiers {
        guard envelope.shape.limitsText else { return .standard }
        guard setsTiers else {
            return ModelRoute.possible(envelope.tier).intersection(caller.tiers).intersection(tiers)
        }
        let possible = targets.reduce(into: ServiceTiers()) {
            $0.formUnion(ModelRoute.possible($1.tier(selectedBy: envelope.tier)))
        }
        return possible.intersection(caller.tiers).intersection(tiers)
    }

    private static func possible(_ tier: ServiceTier?) -> ServiceTiers {
        switch tier {
        case nil: ServiceTiers.unselected
        case .ultrafast: ServiceTiers.unselected.union(ServiceTiers(.ultrafast))
        case .other: ServiceTiers.all
        case let tier?: ServiceTiers.standard.union(ServiceTiers(tier))
        }
    }

    /// Refuses a request for a tier that its key or its model does not allow. A request that selects no tier counts as
    /// `default`. The configured parameters of each target count as the request's own.
    package func checkTier(of envelope: RequestEnvelope, for caller: ClientKey) throws(GatewayError) {
        let allowed = caller.tiers.intersection(tiers)
        guard allowed != .all, envelope.shape.limitsText else { return }
        guard setsTiers else { return try check(envelope.tier, allowed, caller) }
        for target in targets { try check(target.tier(selectedBy: envelope.tier), allowed, caller) }
    }

    private func check(
        _ tier: ServiceTier?, _ allowed: ServiceTiers, _ caller: ClientKey
    ) throws(GatewayError) {
        let tier = tier ?? .standard
        guard !allowed.contains(ServiceTiers(tier)) else { return }
        let holder = caller.tiers.contains(ServiceTiers(tier)) ? "model" : "key"
        let names = allowed.names.map { "'\($0)'" }.joined(separator: ", ")
        let member = tier == .fast ? "speed" : "service_tier"
        throw .invalidRequest(
            403,
            "This \(holder) does not allow the service tier '\(tier.rawValue)', which '\(member)' selects. Allowed: "
                + (names.isEmpty ? "none" : names) + ".",
            code: "tier_not_allowed", parameter: member, cause: .notAllowed)
    }
}
