internal import HeadgateHTTP
internal import Synchronization

/// Requests in flight at one upstream, and whether the last one got a response. Atomics: every loop counts.
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

    /// Notes an attempt without a response, after which the request was sent elsewhere.
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

/// Account of an attempt at a request, which the record ends.
protocol AttemptAccount: AnyObject {
    var activity: UpstreamActivity { get }
    /// Ends everything else that it counts.
    ///
    /// - Parameter outcome: the outcome of the request, or of the attempt if another one follows.
    func finish(_ outcome: inout Outcome)
}

/// The only attempt at a request counts nothing else.
extension UpstreamActivity: AttemptAccount {
    var activity: UpstreamActivity { self }

    func finish(_: inout Outcome) {}
}

extension Outcome {
    /// Whether the upstream, or the way to it, is to blame.
    package var isUpstreamFailure: Bool {
        switch end {
        case .upstreamFailed: true
        // A request can also time out because of the client.
        case .timedOut: isUpstreamsFault
        case .finished, .clientGone, .refused, .drained: false
        }
    }
}
