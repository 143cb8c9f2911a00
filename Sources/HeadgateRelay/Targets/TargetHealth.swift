internal import HeadgateConfiguration
internal import HeadgatePrimitives
internal import Synchronization

/// The name of a target: an upstream, and the name of a model there.
package struct TargetName: Hashable, Sendable {
    private let exactUpstream: ExactText
    private let exactModel: ExactText

    package var upstream: String { exactUpstream.text }
    /// The upstream's name for the model.
    package var model: String { exactModel.text }

    /// Creates a name. Names are compared byte by byte.
    package init(upstream: String, model: String) {
        exactUpstream = ExactText(upstream)
        exactModel = ExactText(model)
    }
}

/// The state of a target's circuit breaker.
package enum BreakerState: Equatable, Sendable {
    case closed
    /// Requests are not sent before this instant, in monotonic nanoseconds.
    case open(until: UInt64)
    /// One request may probe whether the target works again.
    case halfOpen
}

/// The health of one target, as observed by recent requests. The state is atomic, because all event loops read and
/// write it. Instants are monotonic nanoseconds.
package final class TargetHealth: Sendable {
    /// Number of consecutive failures.
    private let failures = Atomic<Int>(0)
    /// State of the breaker, as the bits of a ``BreakerWord``.
    private let breaker = Atomic<UInt64>(0)
    /// Instant until which another gateway's breaker is open.
    private let hintEnd = Atomic<UInt64>(0)
    private let requests = Atomic<Int>(0)
    private let timeToFirstContent = MovingAverage()

    // MARK: Breaker

    /// Returns the state of the breaker without changing it.
    package func state(at now: UInt64) -> BreakerState {
        BreakerWord(bits: breaker.load(ordering: .relaxed)).state(at: now)
    }

    /// Decides whether a request may be sent now. While the breaker is half-open, one request is admitted as a probe.
    /// The result of the probe closes or opens the breaker. If there is no result, the next probe is admitted after
    /// another cooldown.
    ///
    /// - Parameter cooldown: the length of the cooldown, in nanoseconds.
    /// - Returns: the state before the decision. If it is open, the request must not be sent.
    func admit(at now: UInt64, cooldown: UInt64) -> BreakerState {
        var bits = breaker.load(ordering: .relaxed)
        while true {
            let state = BreakerWord(bits: bits).state(at: now)
            guard case .halfOpen = state else { return state }
            let probing = BreakerWord(openUntil: now &+ cooldown, isProbing: true)
            let (exchanged, original) = breaker.compareExchange(
                expected: bits, desired: probing.bits, ordering: .relaxed)
            if exchanged { return state }
            bits = original
        }
    }

    /// Ends a probe without a result, for example after its client disconnected. The next request may probe.
    ///
    /// - Parameter end: the instant of the probe's admission plus the cooldown, which distinguishes it from a later
    ///   probe.
    func cancelProbe(endingAt end: UInt64, at now: UInt64) {
        // A breaker that has changed since the admission keeps its newer state.
        _ = breaker.compareExchange(
            expected: BreakerWord(openUntil: end, isProbing: true).bits,
            desired: BreakerWord(openUntil: now, isProbing: false).bits, ordering: .relaxed)
    }

    /// Records a response of the target: closes the breaker and clears failures and hints.
    func noteSuccess() {
        // Usually nothing changes, and a store would take the cache line from other event loops.
        if failures.load(ordering: .relaxed) != 0 { failures.store(0, ordering: .relaxed) }
        if breaker.load(ordering: .relaxed) != 0 { breaker.store(0, ordering: .relaxed) }
        if hintEnd.load(ordering: .relaxed) != 0 { hintEnd.store(0, ordering: .relaxed) }
    }

    /// Records a failure of the target, and opens the breaker if there are too many.
    ///
    /// - Parameters:
    ///   - threshold: the number of consecutive failures that opens the breaker.
    ///   - cooldown: the length of the cooldown, in nanoseconds.
    func noteFailure(at now: UInt64, threshold: Int, cooldown: UInt64) {
        let count = failures.add(1, ordering: .relaxed).newValue
        // If another gateway's breaker is open, one failure here confirms it.
        let threshold = hintedUntil(at: now) == nil ? threshold : 1
        var bits = breaker.load(ordering: .relaxed)
        while true {
            let word = BreakerWord(bits: bits)
            switch word.state(at: now) {
            case .closed where count < threshold: return
            // Failures of requests that were in flight when the breaker opened are not new information.
            case .open where !word.isProbing: return
            case .closed, .open, .halfOpen: break
            }
            let (exchanged, original) = breaker.compareExchange(
                expected: bits, desired: BreakerWord(openUntil: now &+ cooldown, isProbing: false).bits,
                ordering: .relaxed)
            if exchanged { return }
            bits = original
        }
    }

    // MARK: Other gateways

    /// Returns the instant until which another gateway's breaker is open; nil if none is open. A hint alone does not
    /// block requests: the target is tried after others, and its first failure opens the breaker.
    func hintedUntil(at now: UInt64) -> UInt64? {
        let end = hintEnd.load(ordering: .relaxed)
        return now < end ? end : nil
    }

    /// Replaces the hint of other gateways.
    ///
    /// - Parameter instant: the end of the longest open breaker; nil if no other gateway has an open breaker.
    func noteHint(until instant: UInt64?) {
        if hintEnd.load(ordering: .relaxed) != instant ?? 0 { hintEnd.store(instant ?? 0, ordering: .relaxed) }
    }

    // MARK: Load

    /// Attempts in flight.
    package var requestsInFlight: Int { requests.load(ordering: .relaxed) }

    func beginRequest() { requests.add(1, ordering: .relaxed) }

    /// Ends a request; called once for each ``beginRequest()``.
    func endRequest() { requests.subtract(1, ordering: .relaxed) }

    // MARK: Speed

    func noteTimeToFirstContent(_ nanoseconds: UInt64, at now: UInt64) {
        timeToFirstContent.note(nanoseconds, at: now)
    }

    /// Returns the average in nanoseconds; nil if there is no recent sample, so that a target that was slow is tried
    /// again.
    package func averageTimeToFirstContent(at now: UInt64) -> UInt64? { timeToFirstContent.value(at: now) }
}

/// The state of a breaker, packed into one word so that it changes atomically. Zero means closed.
private struct BreakerWord {
    let bits: UInt64

    init(bits: UInt64) { self.bits = bits }

    init(openUntil instant: UInt64, isProbing: Bool) { bits = instant << 1 | (isProbing ? 1 : 0) }

    /// Whether a probe was admitted since the breaker opened and has no result yet.
    var isProbing: Bool { bits & 1 == 1 }

    func state(at now: UInt64) -> BreakerState {
        if bits == 0 { return .closed }
        let instant = bits >> 1
        return now < instant ? .open(until: instant) : .halfOpen
    }
}

extension TargetName {
    var stableHash: UInt64 {
        var hash = StableHash()
        hash.combine(upstream)
        hash.combine(model)
        return hash.value
    }
}
