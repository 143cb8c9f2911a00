internal import HeadgateHTTP
internal import HeadgatePrimitives

/// Account of one of several attempts at a request. The attempt counts as in flight at its target, and its result
/// updates the target's state.
///
/// Loop-confined.
final class AttemptActivity: AttemptAccount {
    /// Index of the target in the route.
    let index: Int
    let target: ModelTarget
    /// Index of the upstream's key.
    private let key: Int
    /// Upstream's name for the model.
    private let model: String
    private let slot: UpstreamQueue.Slot?
    /// Start of the attempt, in monotonic nanoseconds.
    let startedAt: UInt64
    /// Whether the attempt uses a resting key, because no other key or target was left.
    private let isLastResort: Bool
    /// Whether nothing is sent downstream before the first content, since another attempt can follow.
    let isHeld: Bool
    /// Whether the attempt uses a local target, because no other target can be reached.
    let isDegraded: Bool
    /// Instant at which the breaker admits the next probe; nil if this attempt is not a probe, or its result is known.
    private var probeEnd: UInt64?
    /// Whether the attempt ended without a response.
    private var hasFailed = false

    /// Begins an attempt, which counts as in flight from now on.
    ///
    /// - Parameters:
    ///   - route: the route of the model.
    ///   - model: the public name of the model.
    ///   - slot: the slot in the upstream's queue, which the attempt leaves at its end.
    ///   - probeEnd: the instant at which the breaker admits the next probe, if this attempt is one.
    ///   - startedAt: monotonic nanoseconds.
    init(
        at index: Int, of route: ModelRoute, _ model: String, key: Int, slot: UpstreamQueue.Slot?, isLastResort: Bool,
        probeEnd: UInt64?, isHeld: Bool, isDegraded: Bool, startedAt: UInt64
    ) {
        self.index = index
        target = route.targets[index]
        self.key = key
        self.model = target.name(of: model)
        self.slot = slot
        self.startedAt = startedAt
        self.isLastResort = isLastResort
        self.isHeld = isHeld
        self.isDegraded = isDegraded
        self.probeEnd = probeEnd
        target.limits.health.beginRequest()
    }

    /// Upstream with the key for this attempt.
    var upstream: Upstream { target.upstreams[key] }

    var activity: UpstreamActivity { target.upstream.activity }

    private var limits: TargetLimits { target.limits }

    /// Records that the response can be relayed.
    func succeeded() {
        noteSuccess()
        limits.reach.noteConnected()
        if isLastResort { limits.keys[key].recover(model) }
    }

    /// Records that there is no response to relay.
    ///
    /// - Parameter hasResponse: whether the upstream has sent a head.
    func failed(_ error: GatewayError, at now: UInt64, hasResponse: Bool) {
        hasFailed = true
        if !hasResponse, error.origin == .upstream { target.upstream.activity.noteUnreachable() }
        if let refusal = error.keyRefusal { rest(after: refusal, for: error.retryAfter, at: now) }
        switch error.cause.consequences.verdict {
        case .unreachable:
            limits.reach.noteUnreachable(at: now)
            cancelProbe(at: now)
        case .failed: noteFailure(at: now)
        case .works: noteSuccess()
        case .unknown: cancelProbe(at: now)
        }
    }

    /// Lets the key rest.
    ///
    /// - Parameter wait: the wait that the upstream requests, in nanoseconds; nil if it states none.
    private func rest(after refusal: KeyRefusal, for wait: UInt64?, at now: UInt64) {
        let end = now + (wait ?? KeyRest.standard.wholeNanoseconds)
        switch refusal {
        case .ofKey: limits.keys[key].refuse(until: end)
        case .ofModel: limits.keys[key].limit(model, until: end, isAsked: wait != nil, at: now)
        }
    }

    private func cancelProbe(at now: UInt64) {
        if let probeEnd { limits.health.cancelProbe(endingAt: probeEnd, at: now) }
        probeEnd = nil
    }

    private func noteSuccess() {
        probeEnd = nil
        limits.health.noteSuccess()
    }

    private func noteFailure(at now: UInt64) {
        probeEnd = nil
        guard let breaker = limits.breaker else { return }
        limits.health.noteFailure(at: now, threshold: breaker.failures, cooldown: breaker.cooldown)
    }

    func finish(_ outcome: inout Outcome) {
        limits.health.endRequest()
        slot?.leave()
        guard !hasFailed else { return }
        if outcome.isUpstreamFailure { noteFailure(at: outcome.endedAt) }
        cancelProbe(at: outcome.endedAt)
        if let first = outcome.firstContentAt, first > startedAt {
            limits.health.noteTimeToFirstContent(first - startedAt, at: outcome.endedAt)
        }
    }

    /// Returns the summary of the attempt.
    ///
    /// - Parameters:
    ///   - error: the error of the attempt; nil if it has a response.
    ///   - result: the result, as in ``AttemptSummary``.
    func summary(error: String?, detail: String?, result: String?, at now: UInt64) -> AttemptSummary {
        AttemptSummary(
            upstream: target.upstream.name, model: target.model, key: target.upstreams.count > 1 ? key + 1 : nil,
            error: error, detail: detail, result: result, duration: now - startedAt)
    }
}
