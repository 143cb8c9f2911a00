@testable import HeadgateGateway
@testable import HeadgateRelay

extension ModelRoute {
    /// Returns a route with one target, without limits or retries.
    static func plain(
        _ upstream: Upstream, model: String? = nil, parameters: ParameterRewriting? = nil
    ) -> ModelRoute {
        let state = GatewayState()
        let name = TargetName(upstream: upstream.name, model: model ?? "")
        let limits = TargetLimits(
            nameHash: name.stableHash, health: state.targets.health(of: name), breaker: nil,
            keys: state.targets.keyRing([], of: upstream.name), reach: state.targets.reach(of: upstream.name),
            flight: nil,
            isLocal: false)
        return ModelRoute([ModelTarget([upstream], model: model, parameters: parameters, limits: limits)])
    }
}
