internal import HeadgateHTTP

/// A routed request of a model with hedging: where an attempt has brought no content after a while, a second one begins
/// at another target. The first with content is relayed, and the other cancelled.
///
/// Loop-confined.
final class HedgedRequest: RoutedRequest {
    /// The bounded code of an attempt that another one was faster than.
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

    /// Looks whether the request may be sent a second time.
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

    /// - Parameter repeatable: of each target, whether it may be one of two that the request is sent to.
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

    /// A place at a target that works and needs no wait; nil without one. It is no time to probe a breaker.
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

    // MARK: How they end

    private func ended(
        _ entrant: AttemptRace.Entrant, of race: AttemptRace, _ result: Result<ServerResponse, any Error>
    ) {
        // The loser is cancelled, and nothing more is heard of it.
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
        // What has lost took longer than this. Without it the slow ones would never be counted, and the percentile
        // would sink until most requests are hedged.
        for loser in losers where !loser.isSecond { times.note(now &- loser.attempt.startedAt, at: now) }
    }
}

/// What became of a hedged request, as the log and `/status` say it.
enum HedgeOutcome: String {
    /// The second attempt had content first.
    case won
    /// The second attempt had begun in vain.
    case lost
    /// Neither of the two had an answer.
    case failed
}
