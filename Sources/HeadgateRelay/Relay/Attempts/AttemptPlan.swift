internal import HTTPTypes
internal import HeadgateHTTP

/// Plan of a request's attempts: the next target, the wait before it, and the end when no attempt is left. Pure.
///
/// The plan tries the targets in their order. While one is left, a failure moves to it at once. Only when none is left
/// does the plan try a target again, after a wait. It can hedge one attempt with a second, concurrent one.
struct AttemptPlan {
    enum Step: Equatable {
        /// Sends to the target with this index in the route.
        case send(Int)
        /// Sends to this target with a resting key, since no other target is left.
        case lastResort(Int)
        /// Waits for this many nanoseconds, then sends to this target, which has failed before.
        case wait(UInt64, then: Int)
        /// Does nothing: the other of two attempts is under way, and its result decides.
        case pending
        /// Ends the request, since no attempt is left: the client gets ``AttemptPlan/conclusion(model:at:)``.
        case over
    }

    struct Candidate {
        /// Index in the route.
        let target: Int
        /// Number of keys of the target's upstream; each attempt uses one.
        var keys = 1
        /// Whether its last attempt failed in a way that another attempt might not.
        fileprivate var isWorthAnother = false
        /// Minimum wait before another attempt, in nanoseconds.
        fileprivate var minimumWait: UInt64 = 0
        fileprivate var failures = 0

        init(_ target: Int, keys: Int = 1) {
            self.target = target
            self.keys = keys
        }
    }

    let rules: RetryRules
    private var candidates: [Candidate]
    /// Index of the current candidate.
    private var position = 0
    /// Number of candidates that have had their turn.
    private var begun = 0
    private var waits = 0
    /// Number of requests sent, including the current one.
    private(set) var sends = 0
    /// Index of the other candidate while two attempts are under way.
    private var rival: Int?
    /// Whether an attempt was hedged.
    private(set) var hasHedged = false
    private var best: GatewayError?
    private var isFinal = false
    /// Instant at which the first of the skipped targets takes requests again.
    private var reopening: UInt64?
    /// Instant at which the first of the resting keys can be used again.
    private var restEnd: UInt64?
    /// Whether a target was skipped for a reason other than resting keys.
    private var isSkippedOtherwise = false
    /// Indices of candidates whose keys rest but can be used as a last resort, in the order in which they are tried.
    private var lastResorts: [Int] = []

    /// - Parameter candidates: at least one candidate, in the order in which they are tried.
    init(_ candidates: [Candidate], _ rules: RetryRules) {
        self.candidates = candidates
        self.rules = rules
    }

    /// Whether another attempt can follow the current one, which then sends nothing downstream before its first
    /// content.
    var hasAttemptLeft: Bool {
        sends < rules.attempts
            && (hasTargetLeft || candidates[position].keys > 1 || !rules.faults.isEmpty)
    }

    private var hasTargetLeft: Bool { begun < candidates.count || !lastResorts.isEmpty }

    mutating func begin() -> Step { nextCandidate() ?? .over }

    /// Records that the request is sent to the current target.
    mutating func sent() { sends += 1 }

    /// Skips the current target, which takes no requests now.
    ///
    /// - Parameter until: the end of that time, an instant in nanoseconds; nil if it is not known.
    mutating func skip(until: UInt64?, random: Double, mayRetry: () -> Bool) -> Step {
        if let until { reopening = min(reopening ?? until, until) }
        isSkippedOtherwise = true
        return nextCandidate() ?? again(random: random, mayRetry: mayRetry)
    }

    /// Passes over the current target, whose keys rest for the model.
    ///
    /// - Parameters:
    ///   - until: the end of the rest, an instant in nanoseconds.
    ///   - isLastResort: whether one of the keys may be used if no other target is left.
    mutating func rest(until: UInt64, isLastResort: Bool, random: Double, mayRetry: () -> Bool) -> Step {
        if isLastResort { lastResorts.append(position) }
        restEnd = min(restEnd ?? until, until)
        return nextCandidate() ?? again(random: random, mayRetry: mayRetry)
    }

    /// Records that the current attempt has failed before it sent anything downstream, and returns the next step.
    ///
    /// - Parameters:
    ///   - random: a random number from 0 to 1.
    ///   - mayRetry: takes one retry from the retry budget; called at most once, and only if another attempt could
    ///     follow.
    mutating func fail(_ error: GatewayError, random: Double, mayRetry: () -> Bool) -> Step {
        note(error)
        guard !isFinal, sends < rules.attempts else { return .over }
        if error.isAboutTheKey, candidates[position].keys > 1 {
            candidates[position].keys -= 1
            return mayRetry() ? .send(candidates[position].target) : .over
        }
        if hasTargetLeft {
            // A request that no upstream has seen needs no retry budget: an unreachable target must not exhaust the
            // budget before its breaker opens.
            return error.cause.consequences.isBeforeRequest || mayRetry() ? nextCandidate() ?? .over : .over
        }
        return again(random: random, mayRetry: mayRetry)
    }

    /// Records the error of the current candidate.
    private mutating func note(_ error: GatewayError) {
        if error.cause == .unreachable || error.cause == .untranslatable { sends -= 1 }
        let decision = rules.decision(on: error.cause, wish: error.retryWish)
        keep(error, decision)
        let wait = error.retryAfter
        candidates[position].isWorthAnother = decision == .sameTarget && (wait ?? 0) <= rules.maximumBackoff
        candidates[position].minimumWait = wait ?? 0
        candidates[position].failures += 1
    }

    private mutating func nextCandidate() -> Step? {
        guard begun < candidates.count else {
            guard !lastResorts.isEmpty else { return nil }
            position = lastResorts.removeFirst()
            return .lastResort(candidates[position].target)
        }
        position = begun
        begun += 1
        return .send(candidates[position].target)
    }

    /// Retries the target with the fewest failures, among those that might succeed now.
    private mutating func again(random: Double, mayRetry: () -> Bool) -> Step {
        let others = candidates.indices.filter { candidates[$0].isWorthAnother }
        guard sends < rules.attempts,
            let next = others.min(by: { candidates[$0].failures < candidates[$1].failures }), mayRetry()
        else { return .over }
        position = next
        candidates[next].isWorthAnother = false
        defer { waits += 1 }
        let wait = max(rules.wait(before: waits, random: random), candidates[next].minimumWait)
        return .wait(wait, then: candidates[next].target)
    }

    // MARK: Concurrent attempts

    /// Whether a second attempt may begin while the current one is under way.
    var mayHedge: Bool { !hasHedged && sends < rules.attempts && begun < candidates.count }

    /// Chooses the target of a second attempt and brings its turn forward.
    ///
    /// - Parameters:
    ///   - isFree: returns whether the target with this index would take the request at once.
    ///   - mayRetry: takes one retry from the retry budget; called at most once, and only if there is such a target.
    /// - Returns: the index of the target in the route; nil if no second attempt begins.
    mutating func hedge(with isFree: (Int) -> Bool, mayRetry: () -> Bool) -> Int? {
        guard mayHedge, let place = candidates.indices[begun...].first(where: { isFree(candidates[$0].target) }),
            mayRetry()
        else { return nil }
        candidates.insert(candidates.remove(at: place), at: begun)
        rival = begun
        begun += 1
        hasHedged = true
        return candidates[begun - 1].target
    }

    /// Records that one of two attempts, or the only one, has failed before it sent anything downstream.
    ///
    /// - Parameter target: the index of the attempt's target in the route.
    mutating func fail(_ error: GatewayError, of target: Int, random: Double, mayRetry: () -> Bool) -> Step {
        guard let other = rival else { return fail(error, random: random, mayRetry: mayRetry) }
        rival = nil
        // From here on, the attempt that continues is the current one.
        let rest = candidates[position].target == target ? other : position
        if rest == position { position = other }
        note(error)
        if error.isAboutTheKey, candidates[position].keys > 1 {
            candidates[position].keys -= 1
            candidates[position].isWorthAnother = true
        }
        position = rest
        return .pending
    }

    // MARK: Error for the client

    private mutating func keep(_ error: GatewayError, _ decision: RetryDecision) {
        // The other of two attempts can fail after the final error.
        if isFinal { return }
        // If the request itself is at fault, every target would refuse it.
        isFinal = decision == .never
        if isFinal || error.isTold(before: best) { best = error }
    }

    /// Returns the error for the client.
    ///
    /// - Parameters:
    ///   - model: the public name of the model.
    ///   - now: the current instant in nanoseconds, on the clock of ``skip(until:random:mayRetry:)``.
    ///   - isClosing: whether the gateway shuts down, so that a retry by the client reaches another process.
    func conclusion(model: String, at now: UInt64, isClosing: Bool = false) -> GatewayError {
        guard var error = best else {
            let wait = seconds(until: [reopening, restEnd].compactMap(\.self).min(), at: now)
            return isSkippedOtherwise || restEnd == nil
                ? .noTarget(model, retryAfter: wait) : .targetsRest(model, retryAfter: wait)
        }
        if let restEnd, error.cause == .upstreamStatus(429) { error.shortenWait(to: seconds(until: restEnd, at: now)) }
        // Retries by the client would multiply the attempts.
        if rules.attempts > 1, !isFinal, !isClosing { error.headerFields[.xShouldRetry] = "false" }
        return error
    }

    /// Returns the seconds until an instant, from 1 to 120.
    private func seconds(until instant: UInt64?, at now: UInt64) -> UInt64 {
        guard let instant, instant > now else { return 1 }
        return min((instant - now + 999_999_999) / 1_000_000_000, 120)
    }
}
