internal import HeadgateConfiguration
internal import HeadgateHTTP
internal import HeadgatePrimitives

/// The health, load and keys of the targets of all models. The state survives reloads.
package final class TargetStates: Sendable {
    private let upstreams = Locked(UpstreamStates())
    /// The retry budget, shared by all models.
    private let retries = Locked(RetryBudget())
    /// Requests that wait for their next attempt. The queue has no slots, so each request waits until its timeout.
    private let pauses = UpstreamQueue()

    package init() {}

    // MARK: By name, for snapshots

    func health(of target: TargetName) -> TargetHealth { upstreams.withLock { $0.health(of: target) } }

    func reach(of upstream: String) -> UpstreamReach { upstreams.withLock { $0.reach(of: upstream) } }

    func queue(of upstream: String) -> UpstreamQueue { upstreams.withLock { $0.queue(of: upstream) } }

    /// - Parameter keys: the keys of the upstream, in the order of the configuration.
    func keyRing(_ keys: [Secret], of upstream: String) -> KeyRing {
        upstreams.withLock { $0.keys(keys, of: upstream) }
    }

    /// - Parameter model: the public name of the model.
    func firstContentTimes(of model: String) -> FirstContentTimes {
        upstreams.withLock { $0.firstContentTimes(of: model) }
    }

    // MARK: Other gateways

    /// Returns the targets whose breakers are open at this gateway.
    ///
    /// - Parameter now: monotonic nanoseconds.
    package func openBreakers(at now: UInt64) -> [BreakerHint] { upstreams.withLock { $0.openBreakers(at: now) } }

    /// Returns the targets whose breakers are not closed, because no success was recorded since they opened.
    ///
    /// - Parameter now: monotonic nanoseconds.
    package func failing(at now: UInt64) -> [TargetName] { upstreams.withLock { $0.failing(at: now) } }

    /// Replaces the hints of other gateways.
    ///
    /// - Parameter hints: all targets whose breakers are open at other gateways.
    package func note(_ hints: [BreakerHint], at now: UInt64) { upstreams.withLock { $0.note(hints, at: now) } }

    // MARK: Retries, of all models

    /// Counts the first attempt of a request.
    ///
    /// - Parameter now: monotonic nanoseconds.
    func noteRequest(at now: UInt64) { retries.withLock { $0.noteRequest(at: now) } }

    /// Takes a retry from the budget, if one is left in the last minute.
    ///
    /// - Parameters:
    ///   - percent: the size of the budget, as a percentage of the last minute's requests.
    ///   - now: monotonic nanoseconds.
    /// - Returns: whether the request may be retried.
    func takeRetry(percent: Int, at now: UInt64) -> Bool {
        retries.withLock { $0.take(percent: percent, at: now) }
    }

    /// Waits before another attempt of a request.
    ///
    /// - Parameter completion: called once, on the loop of the request: with `timedOut` if the attempt may follow, with
    ///   another reason if it must not.
    /// - Returns: a handle that cancels the wait; nil if it is already over.
    func pause(
        _ duration: Duration, _ metadata: ServerRequestMetadata,
        completion: @escaping (UpstreamQueue.Refusal) -> Void
    ) -> (any Cancellable)? {
        pauses.enter(caller: "", limit: 0, timeout: duration, metadata) { result in
            if case .failure(let end) = result { completion(end) }
        }
    }

    /// Whether requests may be retried: the gateway is not shutting down.
    var allowsRetries: Bool { retries.withLock { !$0.isClosed } }

    // MARK: Shutdown

    /// Refuses requests that wait for an upstream, and retries. Requests at an upstream are not affected.
    package func stopWaiting() {
        retries.withLock { $0.close() }
        pauses.close()
        for queue in upstreams.withLock({ $0.allQueues }) { queue.close() }
    }
}
