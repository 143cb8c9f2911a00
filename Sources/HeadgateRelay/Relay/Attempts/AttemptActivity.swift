internal import HeadgateHTTP
internal import HeadgatePrimitives

/// One of several attempts at a request: counts as in flight at its target, and tells the target's state how it went.
///
/// Loop-confined.
package final class AttemptActivity: AttemptAccount {
    /// Of the target in the route.
    let index: Int
    let target: ModelTarget
    /// The index of the upstream's key.
    private let key: Int
    /// The upstream's name for the model.
    private let model: String
    private let slot: UpstreamQueue.Slot?
    /// Monotonic nanoseconds.
    let startedAt: UInt64
    /// Whether its key rests, and nothing else was left.
    private let isLastResort: Bool
    /// Whether nothing may be sent downstream before the first content, since another attempt may follow.
    let isHeld: Bool
    /// Whether it is local because nothing else can be reached.
    let isDegraded: Bool
    /// Whether it was let through to show if the target works again, and has not shown it yet.
    private var owesResult: Bool
    /// Whether it ended without a response.
    private var hasFailed = false

    /// - Parameters:
    ///   - route: of the model.
    ///   - model: the public name.
    ///   - slot: of the upstream, which is left at the attempt's end.
    ///   - isProbe: whether the target's breaker was half-open.
    ///   - startedAt: monotonic nanoseconds.
    package init(
        at index: Int, of route: ModelRoute, _ model: String, key: Int, slot: UpstreamQueue.Slot?, isLastResort: Bool,
        isProbe: Bool, isHeld: Bool, isDegraded: Bool, startedAt: UInt64
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
        owesResult = isProbe
        target.limits.health.beginRequest()
    }

    /// With the key for this attempt.
    package var upstream: Upstream { target.upstreams[key] }

    package var activity: UpstreamActivity { target.upstream.activity }

    private var limits: TargetLimits { target.limits }

    /// The response can be relayed.
    func succeeded() {
        noteSuccess()
        limits.reach.noteConnected()
        if isLastResort { limits.keys[key].recover(model) }
    }

    /// There is no response to relay.
    ///
    /// - Parameter hasResponse: whether the upstream has sent a head.
    func failed(_ error: GatewayError, at now: UInt64, hasResponse: Bool) {
        hasFailed = true
        if !hasResponse, error.origin == .upstream { target.upstream.activity.noteUnreachable() }
        if let refusal = error.keyRefusal { rest(after: refusal, for: error.retryAfter, at: now) }
        switch error.cause.consequences.verdict {
        case .unreachable:
            limits.reach.noteUnreachable(at: now)
            giveUpProbe(at: now)
        case .failed: noteFailure(at: now)
        case .works: noteSuccess()
        case .unknown: giveUpProbe(at: now)
        }
    }

    /// - Parameter wait: nanoseconds that the upstream asks for; nil where it does not say.
    private func rest(after refusal: KeyRefusal, for wait: UInt64?, at now: UInt64) {
        let end = now + (wait ?? KeyRest.standard.wholeNanoseconds)
        switch refusal {
        case .ofKey: limits.keys[key].refuse(until: end)
        case .ofModel: limits.keys[key].limit(model, until: end, isAsked: wait != nil, at: now)
        }
    }

    private func giveUpProbe(at now: UInt64) {
        if owesResult { limits.health.giveUpProbe(at: now) }
        owesResult = false
    }

    private func noteSuccess() {
        owesResult = false
        limits.health.noteSuccess()
    }

    private func noteFailure(at now: UInt64) {
        owesResult = false
        guard let breaker = limits.breaker else { return }
        limits.health.noteFailure(at: now, threshold: breaker.failures, cooldown: breaker.cooldown)
    }

    package func finish(_ outcome: inout Outcome) {
        limits.health.endRequest()
        slot?.leave()
        guard !hasFailed else { return }
        if outcome.isUpstreamFailure { noteFailure(at: outcome.endedAt) }
        giveUpProbe(at: outcome.endedAt)
        if let first = outcome.firstContentAt, first > startedAt {
            limits.health.noteTimeToFirstContent(first - startedAt, at: outcome.endedAt)
        }
    }

    /// - Parameters:
    ///   - error: nil for an attempt with a response.
    ///   - result: as in ``AttemptSummary``.
    func summary(error: String?, detail: String?, result: String?, at now: UInt64) -> AttemptSummary {
        AttemptSummary(
            upstream: target.upstream.name, model: target.model, key: target.upstreams.count > 1 ? key + 1 : nil,
            error: error, detail: detail, result: result, duration: now - startedAt)
    }
}
