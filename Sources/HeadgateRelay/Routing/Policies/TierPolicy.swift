package import HeadgatePrices

extension ModelRoute {
    /// Returns the tiers in which an upstream can process a request.
    ///
    /// A request that selects no tier can get that of the provider's own settings, and one that selects a faster tier
    /// can get a slower one.
    package func tiers(of envelope: RequestEnvelope, for caller: ClientKey) -> ServiceTiers {
        guard envelope.shape.hasTiers else { return .standard }
        let possible =
            switch envelope.tier {
            case nil: ServiceTiers.unselected
            case .ultrafast: ServiceTiers.unselected.union(ServiceTiers(.ultrafast))
            case .other: ServiceTiers.all
            case let tier?: ServiceTiers.standard.union(ServiceTiers(tier))
            }
        return possible.intersection(caller.tiers).intersection(tiers)
    }

    /// Refuses a request for a tier that its key or its model does not allow. A request that selects no tier counts as
    /// `default`.
    package func checkTier(of envelope: RequestEnvelope, for caller: ClientKey) throws(GatewayError) {
        let allowed = caller.tiers.intersection(tiers)
        guard allowed != .all, envelope.shape.hasTiers else { return }
        let tier = envelope.tier ?? .standard
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
