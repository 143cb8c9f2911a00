internal import HeadgateConfiguration
internal import HeadgatePrices
internal import HeadgatePrimitives

/// Service tiers that the configured parameters of a target set or remove.
struct TierRules: Sendable {
    /// Treatment of one of the two members that select a tier.
    private enum Rule {
        case keep
        /// Removes the client's selection; nil leaves the choice to the upstream.
        case replace(ServiceTier?)
        /// Sets the tier of requests without the member.
        case standard(ServiceTier)
    }

    /// Rule for `service_tier`.
    private let tier: Rule
    /// Rule for `speed`, which selects the fast tier.
    private let speed: Rule

    /// - Returns: nil if the parameters leave the tier as it is.
    init?(_ rules: ParameterRules) {
        tier = TierRules.rule(for: "service_tier", in: rules)
        speed = TierRules.rule(for: "speed", in: rules)
        if case (.keep, .keep) = (tier, speed) { return nil }
    }

    private static func rule(for member: String, in rules: ParameterRules) -> Rule {
        if rules.strip.contains(where: member.isExactly) { return .replace(nil) }
        if let own = rules.overrides.first(where: { $0.name.isExactly(member) }) { return .replace(selected(own)) }
        return rules.defaults.first { $0.name.isExactly(member) }.flatMap(selected).map(Rule.standard) ?? .keep
    }

    /// - Returns: nil if the upstream chooses.
    private static func selected(_ parameter: ParameterRules.Parameter) -> ServiceTier? {
        let text = parameter.json.filter { $0 != UInt8(ascii: "\"") }
        if text.elementsEqual("auto".utf8) || text.elementsEqual("null".utf8) { return nil }
        if parameter.name.isExactly("speed") { return text.elementsEqual("fast".utf8) ? .fast : .standard }
        return text.withUnsafeBytes { ServiceTier(name: $0) }
    }

    /// Returns the tier that the upstream sees; nil if it chooses.
    func tier(selectedBy request: ServiceTier?) -> ServiceTier? {
        let isFast = request == .fast
        let tier = TierRules.apply(tier, to: isFast ? nil : request)
        switch TierRules.apply(speed, to: isFast ? .fast : nil) {
        case nil, .standard?: return tier ?? (isFast ? .standard : nil)
        // The upstream can read either member.
        case let fast?: return tier == nil || tier == .standard ? fast : .other
        }
    }

    private static func apply(_ rule: Rule, to request: ServiceTier?) -> ServiceTier? {
        switch rule {
        case .keep: request
        case .replace(let tier): tier
        case .standard(let tier): request ?? tier
        }
    }
}
