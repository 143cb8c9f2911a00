internal import HeadgateConfiguration
internal import HeadgatePrimitives

/// Health, load and keys of the targets of all models, kept over reloads.
package final class TargetStates: Sendable {
    private let upstreams = Locked(UpstreamStates())
    /// Shared by all models.
    private let retries = Locked(RetryBudget())

    package init() {}

    // MARK: By name, for snapshots

    package func health(of target: TargetName) -> TargetHealth { upstreams.withLock { $0.health(of: target) } }

    func reach(of upstream: String) -> UpstreamReach { upstreams.withLock { $0.reach(of: upstream) } }

    func queue(of upstream: String) -> UpstreamQueue { upstreams.withLock { $0.queue(of: upstream) } }

    /// - Parameter keys: of the upstream, in the order of the configuration.
    func keyRing(_ keys: [Secret], of upstream: String) -> KeyRing {
        upstreams.withLock { $0.keys(keys, of: upstream) }
    }

    /// - Parameter model: a public name.
    func firstContentTimes(of model: String) -> FirstContentTimes {
        upstreams.withLock { $0.firstContentTimes(of: model) }
    }

    // MARK: Other gateways

    /// Targets whose breakers are open here.
    ///
    /// - Parameter now: monotonic nanoseconds.
    package func openBreakers(at now: UInt64) -> [BreakerHint] { upstreams.withLock { $0.openBreakers(at: now) } }

    /// Targets whose breakers are open at other gateways: all of them.
    package func note(_ hints: [BreakerHint], at now: UInt64) { upstreams.withLock { $0.note(hints, at: now) } }

    // MARK: Retries, of all models

    /// Counts the first send of a request.
    ///
    /// - Parameter now: monotonic nanoseconds.
    func noteRequest(at now: UInt64) { retries.withLock { $0.noteRequest(at: now) } }

    /// Takes one of the repeated sends that the last minute allows, if one is left.
    ///
    /// - Parameters:
    ///   - percent: of the last minute's requests.
    ///   - now: monotonic nanoseconds.
    func takeRetry(percent: Int, at now: UInt64) -> Bool {
        retries.withLock { $0.take(percent: percent, at: now) }
    }
}
