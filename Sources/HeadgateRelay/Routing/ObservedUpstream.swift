internal import HeadgateConfiguration

/// The observable state of an upstream: names, counts and health.
package struct ObservedUpstream: Sendable {
    package let upstream: Upstream
    package let reach: UpstreamReach
    package let keys: KeyRing
    /// The limit on requests in flight; nil if there is none.
    package let flight: TargetLimits.Flight?
    /// Returns the state of the command that prints the upstream's key; nil without one.
    package let keyStatus: (@Sendable () -> String)?
    /// Program that the gateway runs for the upstream; nil if there is none.
    package let program: ProgramAccess?
    /// Whether the gateway sends active health checks to the upstream.
    private let isChecked: Bool

    init(_ upstream: Upstream, _ definition: UpstreamDefinition, _ state: TargetStates) {
        self.upstream = upstream
        reach = state.reach(of: definition.name)
        keys = state.keyRing(definition.credentials, of: definition.name)
        flight = TargetLimits.Flight(of: definition, state)
        keyStatus = definition.issuedKeys?.status
        program = definition.program
        isChecked = definition.configuration.healthCheck != nil
    }

    package var name: String { upstream.name }
    package var activity: UpstreamActivity { upstream.activity }

    /// Result of the last active health check; nil if checks are not configured.
    package var isHealthy: Bool? { isChecked ? reach.isHealthy : nil }

    /// Whether the last request got a response; nil before the first request.
    package var isReachable: Bool? {
        switch activity.reachability {
        case .unknown: nil
        case .reachable: true
        case .unreachable: false
        }
    }
}
