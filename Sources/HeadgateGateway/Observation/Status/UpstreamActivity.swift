package import HeadgateHTTP
internal import Synchronization

/// What is under way at one upstream, and whether it answered the last time. Counted on every loop without a lock.
package final class UpstreamActivity: RequestActivity {
    /// What the last request that can tell has told.
    enum Reachability: Int {
        /// Nothing was asked yet.
        case unknown
        /// It answered, whatever it said.
        case reachable
        /// There was no answer.
        case unreachable
    }

    private let requests = Atomic<Int>(0)
    private let streams = Atomic<Int>(0)
    private let last = Atomic<Int>(Reachability.unknown.rawValue)

    var requestsInFlight: Int { requests.load(ordering: .relaxed) }
    var streamsInFlight: Int { streams.load(ordering: .relaxed) }
    var reachability: Reachability { Reachability(rawValue: last.load(ordering: .relaxed)) ?? .unknown }

    package func begin(isStream: Bool) {
        requests.add(1, ordering: .relaxed)
        if isStream { streams.add(1, ordering: .relaxed) }
    }

    /// There was no answer, to a request that was then sent elsewhere.
    func noteUnreachable() { last.store(Reachability.unreachable.rawValue, ordering: .relaxed) }

    package func end(_ outcome: inout Outcome) {
        requests.subtract(1, ordering: .relaxed)
        if outcome.isStream { streams.subtract(1, ordering: .relaxed) }
        if outcome.upstreamStatus != nil {
            last.store(Reachability.reachable.rawValue, ordering: .relaxed)
        } else if outcome.isUpstreamFailure {
            last.store(Reachability.unreachable.rawValue, ordering: .relaxed)
        }
    }
}

extension Outcome {
    /// Whether the upstream, or the way to it, is to blame.
    var isUpstreamFailure: Bool {
        switch end {
        case .upstreamFailed: true
        // A client can be too slow as well.
        case .timedOut: isUpstreamsFault
        case .finished, .clientGone, .refused, .drained: false
        }
    }
}
