internal import HTTPTypes
internal import HeadgateHTTP

/// Which target a request is sent to next, after which wait, and when there is none left. Pure.
///
/// The targets are tried in their order; where one is left, a failure goes there at once. Only when none is left is a
/// target tried again, after a wait. One attempt of a request may be hedged: another begins while it is under way.
package struct AttemptPlan {
    package enum Step: Equatable {
        /// Send to this target, as an index of the route's.
        case send(Int)
        /// The same, with a key that rests: no other target is left.
        case lastResort(Int)
        /// Wait so many nanoseconds, then send to this target, which has failed before.
        case wait(UInt64, then: Int)
        /// The other one of two attempts is under way: what becomes of it decides.
        case pending
        /// No attempt is left: ``conclusion()`` is what the client is told.
        case over
    }

    package struct Candidate {
        /// Index in the route.
        let target: Int
        /// How many keys its upstream has, of which one is used by an attempt.
        package var keys = 1
        /// Whether it has failed in a way that another attempt may not, and how many nanoseconds later at the earliest.
        fileprivate var isWorthAnother = false
        fileprivate var minimumWait: UInt64 = 0
        fileprivate var failures = 0

        package init(_ target: Int, keys: Int = 1) {
            self.target = target
            self.keys = keys
        }
    }

    let rules: RetryRules
    private var candidates: [Candidate]
    /// Of the current candidate.
    private var position = 0
    /// How many candidates have had their turn.
    private var begun = 0
    private var waits = 0
    /// How many requests were sent, the current one included.
    private(set) var sends = 0
    /// The other candidate, while two attempts are under way.
    private var rival: Int?
    /// Whether an attempt was hedged.
    private(set) var hasHedged = false
    private var best: GatewayError?
    private var isFinal = false
    /// When the first of the targets that were skipped takes requests again.
    private var reopening: UInt64?
    /// The same of those whose keys rest.
    private var restEnd: UInt64?
    /// Whether a target was skipped for another reason.
    private var isSkippedOtherwise = false
    /// Candidates whose keys rest and may be used all the same, in the order in which they are tried.
    private var lastResorts: [Int] = []

    /// - Parameter candidates: in the order in which they are tried; at least one.
    package init(_ candidates: [Candidate], _ rules: RetryRules) {
        self.candidates = candidates
        self.rules = rules
    }

    /// Whether another attempt could follow the current one, so that nothing of it may be sent downstream before its
    /// first content.
    var hasAttemptLeft: Bool {
        sends < rules.attempts
            && (hasTargetLeft || candidates[position].keys > 1 || !rules.faults.isEmpty)
    }

    private var hasTargetLeft: Bool { begun < candidates.count || !lastResorts.isEmpty }

    package mutating func begin() -> Step { nextCandidate() ?? .over }

    /// The current target is being sent the request.
    package mutating func sent() { sends += 1 }

    /// The current target takes no requests now.
    ///
    /// - Parameter until: an instant in nanoseconds, if it is known.
    mutating func skip(until: UInt64?, random: Double, mayRetry: () -> Bool) -> Step {
        if let until { reopening = min(reopening ?? until, until) }
        isSkippedOtherwise = true
        return nextCandidate() ?? again(random: random, mayRetry: mayRetry)
    }

    /// The keys of the current target rest for the model.
    ///
    /// - Parameters:
    ///   - until: an instant in nanoseconds.
    ///   - isLastResort: whether one of them may be used where no other target is left.
    mutating func rest(until: UInt64, isLastResort: Bool, random: Double, mayRetry: () -> Bool) -> Step {
        if isLastResort { lastResorts.append(position) }
        restEnd = min(restEnd ?? until, until)
        return nextCandidate() ?? again(random: random, mayRetry: mayRetry)
    }

    /// The current attempt has failed before anything of it was sent downstream.
    ///
    /// - Parameters:
    ///   - random: from 0 to 1.
    ///   - mayRetry: takes one from the budget of retries; asked once at most, and only where another attempt could
    ///     follow.
    package mutating func fail(_ error: GatewayError, random: Double, mayRetry: () -> Bool) -> Step {
        note(error)
        guard !isFinal, sends < rules.attempts else { return .over }
        if error.isAboutTheKey, candidates[position].keys > 1 {
            candidates[position].keys -= 1
            return mayRetry() ? .send(candidates[position].target) : .over
        }
        if hasTargetLeft {
            // What no upstream has seen is no repetition: a target that is gone must not use the budget up before its
            // breaker opens.
            return error.cause.consequences.isBeforeRequest || mayRetry() ? nextCandidate() ?? .over : .over
        }
        return again(random: random, mayRetry: mayRetry)
    }

    /// Of the current candidate.
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

    /// Once more the target that has failed least often, of those that may do better now.
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

    // MARK: Two attempts at a time

    /// Whether a second attempt may begin while the current one is under way.
    var mayHedge: Bool { !hasHedged && sends < rules.attempts && begun < candidates.count }

    /// The target of a second attempt, whose turn comes early; nil for none.
    ///
    /// - Parameters:
    ///   - isFree: whether the target with this index would take the request at once.
    ///   - mayRetry: takes one from the budget of retries; asked once at most, and only with such a target.
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

    /// One of two attempts, or the only one, has failed before anything of it was sent downstream.
    ///
    /// - Parameter target: of the attempt.
    package mutating func fail(_ error: GatewayError, of target: Int, random: Double, mayRetry: () -> Bool) -> Step {
        guard let other = rival else { return fail(error, random: random, mayRetry: mayRetry) }
        rival = nil
        // The one that goes on is the current one from here.
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

    // MARK: What the client is told

    private mutating func keep(_ error: GatewayError, _ decision: RetryDecision) {
        // Of two attempts the other one may still have been under way.
        if isFinal { return }
        // A request that is refused for itself would be refused anywhere.
        isFinal = decision == .never
        if isFinal || error.isTold(before: best) { best = error }
    }

    /// The error for the client.
    ///
    /// - Parameters:
    ///   - model: the public name.
    ///   - now: nanoseconds, on the clock of ``skip(until:)``.
    func conclusion(model: String, at now: UInt64) -> GatewayError {
        guard var error = best else {
            let wait = seconds(until: [reopening, restEnd].compactMap(\.self).min(), at: now)
            return isSkippedOtherwise || restEnd == nil
                ? .noTarget(model, retryAfter: wait) : .targetsRest(model, retryAfter: wait)
        }
        if let restEnd, error.cause == .upstreamStatus(429) { error.shortenWait(to: seconds(until: restEnd, at: now)) }
        // A client that retries by itself would multiply the attempts.
        if rules.attempts > 1, !isFinal { error.headerFields[.xShouldRetry] = "false" }
        return error
    }

    /// From 1 to 120.
    private func seconds(until instant: UInt64?, at now: UInt64) -> UInt64 {
        guard let instant, instant > now else { return 1 }
        return min((instant - now + 999_999_999) / 1_000_000_000, 120)
    }
}
