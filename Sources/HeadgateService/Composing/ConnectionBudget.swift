import CHeadgate
package import HeadgateConfiguration
import HeadgateServer

/// Numbers of connections that the limit on open files allows.
package struct ConnectionBudget: Equatable {
    /// Maximum number of connections from clients.
    package let downstream: Int
    /// Maximum number of idle connections to all upstreams.
    let idleUpstream: Int
    /// Reason for ``downstream``, for people.
    package let reason: String

    private static let standard = 10_000
    /// Number of descriptors reserved for files, pipes and listeners.
    private static let reserve = 64

    /// - Parameters:
    ///   - wanted: the configured number; nil for the default.
    ///   - descriptors: the limit on open files.
    init(wanted: Int?, descriptors: Int) {
        idleUpstream = min(1024, descriptors / 16)
        // At most half of the descriptors, since a downstream connection needs an upstream one.
        let possible = max(16, (descriptors - ConnectionBudget.reserve) / 2)
        downstream = min(wanted ?? ConnectionBudget.standard, possible)
        if downstream < wanted ?? ConnectionBudget.standard {
            reason = "the limit on open files is \(descriptors)"
        } else {
            reason = wanted == nil ? "the default" : "as configured"
        }
    }

    /// Returns the budget after raising the limit on open files as far as the system allows.
    package static func raisingLimit(for limits: LimitsConfiguration) -> ConnectionBudget {
        let descriptors = Int(clamping: headgate_raise_descriptor_limit())
        return ConnectionBudget(wanted: limits.connections, descriptors: descriptors)
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
