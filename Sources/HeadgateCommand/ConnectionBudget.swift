import CHeadgate
import HeadgateConfiguration
import HeadgateServer

/// How many connections the limit on open files allows.
struct ConnectionBudget {
    /// From clients.
    let downstream: Int
    /// Kept at rest to upstreams, in all.
    let idleUpstream: Int
    /// What decided ``downstream``, for people.
    let reason: String

    /// Raises the limit on open files as far as the system lets it.
    init(_ configuration: Configuration) {
        let descriptors = Int(clamping: headgate_raise_descriptor_limit())
        idleUpstream = min(1024, descriptors / 16)
        // Half of the descriptors at most, since a downstream connection needs one upstream; some are kept for everything else.
        let possible = max(16, (descriptors - 64) / 2)
        let wanted = configuration.limits.connections ?? 10_000
        downstream = min(wanted, possible)
        if downstream < wanted {
            reason = "the limit on open files is \(descriptors)"
        } else {
            reason = configuration.limits.connections == nil ? "the default" : "as configured"
        }
    }
}

extension ServerLimits {
    init(_ configuration: LimitsConfiguration, budget: ConnectionBudget) {
        self.init()
        connections = budget.downstream
        connectionsPerAddress = configuration.connectionsPerAddress
        drainTimeout = configuration.drain
    }
}
