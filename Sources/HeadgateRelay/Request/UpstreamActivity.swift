internal import HeadgateHTTP
internal import Synchronization

/// Requests in flight at one upstream, and whether the last one got a response. The state is atomic, because all event
/// loops write it.
package final class UpstreamActivity: Sendable {
    /// Result of the last request to the upstream.
    enum Reachability: Int {
        /// There was no request yet.
        case unknown
        /// It responded, with any status.
        case reachable
        /// It did not respond.
        case unreachable
    }

    private let requests = Atomic<Int>(0)
    private let streams = Atomic<Int>(0)
    private let last = Atomic<Int>(Reachability.unknown.rawValue)

    package var requestsInFlight: Int { requests.load(ordering: .relaxed) }
    package var streamsInFlight: Int { streams.load(ordering: .relaxed) }
    var reachability: Reachability { Reachability(rawValue: last.load(ordering: .relaxed)) ?? .unknown }

    func begin(isStream: Bool) {
        requests.add(1, ordering: .relaxed)
        if isStream { streams.add(1, ordering: .relaxed) }
    }

    /// Records an attempt without a response, after which the request was sent elsewhere.
    func noteUnreachable() { last.store(Reachability.unreachable.rawValue, ordering: .relaxed) }

    func end(_ outcome: inout Outcome) {
        requests.subtract(1, ordering: .relaxed)
        if outcome.isStream { streams.subtract(1, ordering: .relaxed) }
        if outcome.upstreamStatus != nil {
            last.store(Reachability.reachable.rawValue, ordering: .relaxed)
        } else if outcome.isUpstreamFailure {
            last.store(Reachability.unreachable.rawValue, ordering: .relaxed)
        }
    }
}

/// Account of one attempt at a request, which the request's record ends.
protocol AttemptAccount: AnyObject {
    var activity: UpstreamActivity { get }
    /// Ends all other counts of the attempt.
    ///
    /// - Parameter outcome: the outcome of the request, or of the attempt if another one follows.
    func finish(_ outcome: inout Outcome)
}

/// Account of a request's only attempt, which has no other counts.
extension UpstreamActivity: AttemptAccount {
    var activity: UpstreamActivity { self }

    func finish(_: inout Outcome) {}
}

extension Outcome {
    /// Whether the upstream, or the path to it, caused the failure.
    package var isUpstreamFailure: Bool {
        switch end {
        case .upstreamFailed: true
        // A request can also time out because of the client.
        case .timedOut: isUpstreamsFault
        case .finished, .clientGone, .refused, .drained: false
        }
    }
}
