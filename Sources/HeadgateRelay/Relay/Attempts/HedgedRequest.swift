internal import HeadgateHTTP

/// Routed request for a model with hedging: if an attempt has produced no content after a set time, a second one begins
/// at another target. The gateway relays the first with content and cancels the other.
///
/// Loop-confined.
final class HedgedRequest: RoutedRequest {
    /// Bounded result code of an attempt that lost to a faster one.
    static let lost = "hedge_lost"

    override func make(_ attempt: AttemptActivity) {
        wait {
            let race = AttemptRace()
            enter(attempt, race)
            if plan.mayHedge, let wait = route.hedge?.wait(isStream: request.envelope.isStream, at: now) {
                race.expect {
                    ResponseDeadline(after: .nanoseconds(Int64(clamping: wait)), metadata) { [self] in check(race) }
                }
            }
            return race.isOver ? nil : race
        }
    }

    private func enter(_ attempt: AttemptActivity, isSecond: Bool = false, _ race: AttemptRace) {
        let entrant = AttemptRace.Entrant(attempt, isSecond: isSecond, of: metadata)
        let own = RelayRequest(
            head: request.head, metadata: entrant.metadata, envelope: request.envelope, allowance: request.allowance,
            companion: request.companion)
        race.enter(entrant) {
            start(attempt, own, isHeld: isSecond || attempt.isHeld) { [self] result in
                ended(entrant, of: race, result)
            }
        }
        if !race.isOver { metadata.record.follow(entrant.record) }
    }

    // MARK: The second attempt

    /// Checks whether the request may be sent a second time, and hedges it if so.
    private func check(_ race: AttemptRace) {
        let (envelope, operation, targets) = (request.envelope, handler.operation, route.targets)
        let work: @Sendable () -> [Bool] = { SideEffects.areNone(of: envelope, operation, at: targets) }
        guard envelope.size > LongDocument.threshold else { return hedge(race, work()) }
        race.expect {
            metadata.aside(work) { [self] repeatable in
                if let repeatable { hedge(race, repeatable) }
            }
        }
    }

    /// Begins the second attempt, if a target is free.
    ///
    /// - Parameter repeatable: for each target, whether it may be one of two targets that get the request.
    private func hedge(_ race: AttemptRace, _ repeatable: [Bool]) {
        guard let first = race.entrants.first?.attempt, repeatable[first.index] else { return }
        var entry: (key: Int, slot: UpstreamQueue.Slot?)?
        let second = plan.hedge(
            with: { index in
                entry = repeatable[index] ? self.entry(of: route.targets[index]) : nil
                return entry != nil
            }, mayRetry: mayRetry)
        guard let second, let entry else { return }
        enter(begin(second, key: entry.key, slot: entry.slot), isSecond: true, race)
    }

    /// Returns a key and a slot at a target if it works and needs no wait; nil otherwise. A hedge does not probe a
    /// breaker.
    private func entry(of target: ModelTarget) -> (key: Int, slot: UpstreamQueue.Slot?)? {
        let limits = target.limits
        let model = request.envelope.model
        guard target.isUsable(for: model, at: now), limits.breaker == nil || limits.health.state(at: now) == .closed,
            !handler.estimates(for: target, model),
            case .key(let key) = limits.keys.choose(for: target.name(of: model), at: now)
        else { return nil }
        guard let flight = limits.flight else { return (key, nil) }
        return flight.queue.enterAtOnce(limit: flight.limit).map { (key, $0) }
    }

    // MARK: End of the attempts

    private func ended(
        _ entrant: AttemptRace.Entrant, of race: AttemptRace, _ result: Result<ServerResponse, any Error>
    ) {
        // Ignore the loser, which was cancelled.
        guard race.leave(entrant) else { return }
        switch result {
        case .success(let response):
            stepEnded()
            win(entrant, over: race.end(), isHedged: race.isHedged)
            receive(response, of: entrant.attempt)
        case .failure(let error):
            metadata.record.follow(entrant.record)
            if isCancelled || !(error is GatewayError) {
                for other in [entrant] + race.end() { other.record.leave(at: now) }
            }
            if race.isOver {
                if race.isHedged { metadata.record.facts.notes[.hedge] = HedgeOutcome.failed.rawValue }
                stepEnded()
            }
            failed(error, entrant.attempt, entrant.record)
        }
    }

    private func win(_ winner: AttemptRace.Entrant, over losers: [AttemptRace.Entrant], isHedged: Bool) {
        let isFirst = !winner.isSecond
        if isFirst { note(winner.attempt, error: nil, result: AttemptSummary.ok) }
        for loser in losers {
            note(loser.attempt, error: HedgedRequest.lost, result: HedgedRequest.lost)
            loser.record.leave(at: now)
        }
        if !isFirst { note(winner.attempt, error: nil, result: AttemptSummary.ok) }
        if isHedged { metadata.record.facts.notes[.hedge] = (isFirst ? HedgeOutcome.lost : .won).rawValue }
        learn(from: winner, over: losers)
        metadata.record.adopt(winner.record)
    }

    private func learn(from winner: AttemptRace.Entrant, over losers: [AttemptRace.Entrant]) {
        guard let known = route.hedge?.times else { return }
        let times = request.envelope.isStream ? known.ofStreams : known.ofDocuments
        if let first = winner.record.facts.firstContentAt {
            times.note(first &- winner.attempt.startedAt, at: now)
        }
        // A first attempt that lost would have taken longer than this. If slow attempts were never counted, the
        // percentile would sink until most requests are hedged.
        for loser in losers where !loser.isSecond { times.note(now &- loser.attempt.startedAt, at: now) }
    }
}

/// Result of a hedged request, as the log and `/status` report it.
enum HedgeOutcome: String {
    /// The second attempt had content first.
    case won
    /// The first attempt had content first, so the second one was wasted.
    case lost
    /// Neither attempt had a response.
    case failed
}
