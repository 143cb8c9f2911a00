internal import HeadgateConfiguration
internal import HeadgatePrimitives
internal import Synchronization

/// A model of an upstream, as a target of public models.
package struct TargetName: Hashable, Sendable {
    private let exactUpstream: ExactText
    private let exactModel: ExactText

    package var upstream: String { exactUpstream.text }
    /// The upstream's name for it.
    var model: String { exactModel.text }

    /// Names are compared byte by byte.
    package init(upstream: String, model: String) {
        exactUpstream = ExactText(upstream)
        exactModel = ExactText(model)
    }
}

/// Whether requests are sent to a target.
package enum BreakerState: Equatable, Sendable {
    case closed
    /// Not before this instant, in monotonic nanoseconds.
    case open(until: UInt64)
    /// One request may show whether it works again.
    case halfOpen
}

/// What recent requests have shown about one target. Atomics: every loop reads and writes. Instants are monotonic
/// nanoseconds.
package final class TargetHealth: Sendable {
    /// Consecutive ones.
    private let failures = Atomic<Int>(0)
    /// The bits of a ``BreakerWord``.
    private let breaker = Atomic<UInt64>(0)
    /// Until when another gateway's breaker is open.
    private let hintEnd = Atomic<UInt64>(0)
    private let requests = Atomic<Int>(0)
    private let timeToFirstContent = MovingAverage()

    // MARK: Breaker

    /// Changes nothing.
    package func state(at now: UInt64) -> BreakerState {
        BreakerWord(bits: breaker.load(ordering: .relaxed)).state(at: now)
    }

    /// Whether a request may be sent now. Of all that ask while the breaker is half-open one may, as a probe: its
    /// result closes or opens the breaker, and without a result the next one may after another cooldown.
    ///
    /// - Parameter cooldown: nanoseconds.
    /// - Returns: the state in which it was asked; in an open one the request may not be sent.
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

    /// A probe has ended without a result, such as one whose client has left: the next request may probe.
    func giveUpProbe(at now: UInt64) {
        let bits = breaker.load(ordering: .relaxed)
        guard BreakerWord(bits: bits).isProbing else { return }
        // Whatever else has come between knows more.
        _ = breaker.compareExchange(
            expected: bits, desired: BreakerWord(openUntil: now, isProbing: false).bits, ordering: .relaxed)
    }

    /// The target has given an answer.
    func noteSuccess() {
        // Most of the time there is nothing to change, and a store would take the cache line from other loops.
        if failures.load(ordering: .relaxed) != 0 { failures.store(0, ordering: .relaxed) }
        if breaker.load(ordering: .relaxed) != 0 { breaker.store(0, ordering: .relaxed) }
        if hintEnd.load(ordering: .relaxed) != 0 { hintEnd.store(0, ordering: .relaxed) }
    }

    /// A failure that speaks against the target.
    ///
    /// - Parameters:
    ///   - threshold: consecutive failures that open the breaker.
    ///   - cooldown: nanoseconds.
    func noteFailure(at now: UInt64, threshold: Int, cooldown: UInt64) {
        let count = failures.add(1, ordering: .relaxed).newValue
        // What others have found needs no more than to be confirmed.
        let threshold = hintedUntil(at: now) == nil ? threshold : 1
        var bits = breaker.load(ordering: .relaxed)
        while true {
            let word = BreakerWord(bits: bits)
            switch word.state(at: now) {
            case .closed where count < threshold: return
            // Requests that were in flight when it opened tell nothing new.
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

    /// The end of what another gateway says; nil where none has a breaker open. That alone keeps no request away: the
    /// target is tried after others, and its first failure opens the breaker.
    func hintedUntil(at now: UInt64) -> UInt64? {
        let end = hintEnd.load(ordering: .relaxed)
        return now < end ? end : nil
    }

    /// - Parameter instant: nil where no other gateway has its breaker open any more.
    func noteHint(until instant: UInt64?) {
        if hintEnd.load(ordering: .relaxed) != instant ?? 0 { hintEnd.store(instant ?? 0, ordering: .relaxed) }
    }

    // MARK: Load

    /// Attempts under way.
    package var requestsInFlight: Int { requests.load(ordering: .relaxed) }

    func beginRequest() { requests.add(1, ordering: .relaxed) }

    /// Once for each ``beginRequest()``.
    func endRequest() { requests.subtract(1, ordering: .relaxed) }

    // MARK: Speed

    func noteTimeToFirstContent(_ nanoseconds: UInt64, at now: UInt64) {
        timeToFirstContent.note(nanoseconds, at: now)
    }

    /// Nanoseconds; nil without a recent sample, so that a target that was slow once is tried again.
    package func averageTimeToFirstContent(at now: UInt64) -> UInt64? { timeToFirstContent.value(at: now) }
}

/// What a breaker knows, in one word, so that it changes at once. All zero is closed.
private struct BreakerWord {
    let bits: UInt64

    init(bits: UInt64) { self.bits = bits }

    init(openUntil instant: UInt64, isProbing: Bool) { bits = instant << 1 | (isProbing ? 1 : 0) }

    /// Whether a request was let through since the breaker opened, and nothing has come of it yet.
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
