internal import HeadgateConfiguration

/// What is told about an upstream: names, counts and health.
package struct ObservedUpstream: Sendable {
    package let upstream: Upstream
    package let reach: UpstreamReach
    package let keys: KeyRing
    /// Nil without a limit on the requests in flight.
    package let flight: TargetLimits.Flight?
    /// Whether it is asked for its health.
    private let isChecked: Bool

    package init(_ upstream: Upstream, _ definition: UpstreamDefinition, _ state: TargetStates) {
        self.upstream = upstream
        reach = state.reach(of: definition.name)
        keys = state.keyRing(definition.credentials, of: definition.name)
        flight = TargetLimits.Flight(of: definition, state)
        isChecked = definition.configuration.healthCheck != nil
    }

    package var name: String { upstream.name }
    package var activity: UpstreamActivity { upstream.activity }

    /// What the last active check said; nil where nobody checks.
    package var isHealthy: Bool? { isChecked ? reach.isHealthy : nil }

    /// Whether the last request to it got a response; nil before the first.
    package var isReachable: Bool? {
        switch activity.reachability {
        case .unknown: nil
        case .reachable: true
        case .unreachable: false
        }
    }
}
