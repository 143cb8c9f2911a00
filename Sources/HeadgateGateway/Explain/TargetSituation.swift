internal import HeadgateHTTP
internal import HeadgatePrimitives
internal import HeadgateRelay

/// Current state of a target: whether it would receive a request now, and why.
struct TargetSituation: Sendable {
    enum State: String, Sendable, CaseIterable {
        case ready
        /// Its upstream's in-flight limit is reached, or other requests already wait for a slot.
        case full
        case halfOpen = "half_open"
        case offline
        case unhealthy
        case keyResting = "key_resting"
        case breakerOpen = "breaker_open"
        case otherDialect = "other_dialect"
        case otherRequests = "other_requests"
    }

    let target: ModelTarget
    let state: State
    /// Nanoseconds until the state ends at the latest; nil if that is not known.
    let remaining: UInt64?
    /// Explanation of the state, as a sentence.
    let reason: String
    /// Whether requests skip the target.
    let isSkipped: Bool
    /// Whether the target receives the request anyway if every other target is skipped or fails.
    let isLastResort: Bool
    let inFlight: Int
    /// Requests that wait for a slot; nil without a limit.
    let waiting: Int?

    /// - Parameters:
    ///   - model: the public model name.
    ///   - takes: whether the target speaks the dialect of the operation.
    ///   - isMeant: whether the request meets the target's condition.
    ///   - isAlone: whether the model has no other target.
    ///   - now: monotonic nanoseconds.
    init(
        _ target: ModelTarget, of operation: RelayOperation, model: String, takes: Bool, isMeant: Bool, isAlone: Bool,
        at now: UInt64
    ) {
        self.target = target
        let limits = target.limits
        inFlight = limits.flight?.queue.inFlight ?? target.upstream.activity.requestsInFlight
        waiting = limits.flight?.queue.waiting
        let breaker = limits.breaker.map { ($0.failures, limits.health.state(at: now)) }
        let keys = limits.keys.count
        let rest = TargetSituation.rest(of: limits.keys, for: target.name(of: model), at: now)
        let isOpen = if case (_, .open)? = breaker { true } else { false }
        isLastResort = takes && isMeant && !isOpen && rest?.reason == .refused
        // Reasons to skip the target come before reasons that only move it behind others.
        if !takes {
            (state, remaining, isSkipped) = (.otherDialect, nil, true)
            reason = "It does not speak \(operation.dialect.name), which this route does: it never gets the request."
        } else if !isMeant {
            (state, remaining, isSkipped) = (.otherRequests, nil, true)
            reason = "Its 'when' does not fit this request: it never gets it."
        } else if case (let failures, .open(let until))? = breaker {
            (state, remaining, isSkipped) = (.breakerOpen, until - now, true)
            reason =
                "Its breaker is open after \(Self.times(failures, "failure")) in a row: it gets nothing for another "
                + "\(Self.seconds(until - now))."
        } else if let rest {
            (state, remaining, isSkipped) = (.keyResting, rest.until - now, !isAlone)
            reason =
                "The upstream has refused \(keys == 1 ? "its key" : "each of its \(keys) keys") or wants fewer "
                + "requests, for another \(Self.seconds(rest.until - now)): "
                + (isAlone
                    ? Self.allTheSame
                    : isLastResort ? "it is the last resort until then." : "it is passed over until then.")
        } else if let until = limits.reach.offlineUntil(at: now) {
            (state, remaining, isSkipped) = (.offline, until - now, false)
            reason =
                "There was no route to it, or no such name: for another \(Self.seconds(until - now)) "
                + (isAlone ? Self.allTheSame : "it comes after the others.")
        } else if !limits.reach.isHealthy {
            (state, remaining, isSkipped) = (.unhealthy, nil, false)
            reason = "Its last health check failed: " + (isAlone ? Self.allTheSame : "it comes after the others.")
        } else if limits.isHinted(at: now) {
            (state, remaining, isSkipped) = (.unhealthy, nil, false)
            reason =
                "Another gateway's breaker for it is open: "
                + (isAlone ? Self.allTheSame : "it comes after the others.")
        } else if case (_, .halfOpen)? = breaker {
            (state, remaining, isSkipped) = (.halfOpen, nil, false)
            reason = "Its breaker is half open: the next request shows whether it works again."
        } else if let flight = limits.flight, inFlight >= flight.limit || (waiting ?? 0) > 0 {
            (state, remaining, isSkipped) = (.full, nil, false)
            reason =
                "\(Self.times(inFlight, "request")) of at most \(flight.limit) in flight, \(waiting ?? 0) waiting: "
                + "this one would wait for up to \(Self.seconds(flight.timeout.wholeNanoseconds))."
        } else {
            (state, remaining, isSkipped) = (.ready, nil, false)
            reason = "Nothing speaks against it."
        }
    }

    private static let allTheSame = "the request is sent all the same, as there is no other target."

    /// Returns the earliest end of a key's rest and the weakest reason of any key; nil if a key can be used now.
    private static func rest(of keys: KeyRing, for model: String, at now: UInt64) -> Rest? {
        guard !keys.hasOneToUse(for: model, at: now) else { return nil }
        let rests = (0..<keys.count).compactMap { keys[$0].rest(of: model, at: now) }
        guard let until = rests.map(\.until).min(), let reason = rests.map(\.reason).min() else { return nil }
        return Rest(until: until, reason: reason)
    }

    private static func times(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

    /// Returns text such as `12.3 s`, rounded up.
    private static func seconds(_ nanoseconds: UInt64) -> String {
        let (whole, tenths) = ((nanoseconds + 99_999_999) / 100_000_000).quotientAndRemainder(dividingBy: 10)
        return tenths == 0 ? "\(whole) s" : "\(whole).\(tenths) s"
    }
}
