internal import HTTPTypes
internal import HeadgateConfiguration
internal import HeadgateHTTP

/// Request for a model with several targets, or with retries or limits. It makes one attempt after the other, as
/// ``AttemptPlan`` decides, until one has a response.
///
/// Loop-confined. A subclass makes two attempts concurrently.
class RoutedRequest: PendingCall {
    final let request: RelayRequest
    final let route: ModelRoute
    final let handler: RelayHandler
    final let metadata: ServerRequestMetadata
    final var plan: AttemptPlan
    private var completion: RequestHandler.Completion?
    private var deadline: ResponseDeadline?
    /// Reason for the cancellation, if the client did not cause it.
    private var expiry: (any Error)?
    /// Indices of the keys that have been tried, by the index of the target.
    private var triedKeys: [Int: [Int]] = [:]

    /// Starts a request.
    ///
    /// - Parameter completion: called once, possibly before this method returns.
    /// - Returns: a handle that cancels the request; nil if it is already over.
    static func start(
        _ request: RelayRequest, on route: ModelRoute, _ handler: RelayHandler,
        completion: @escaping RequestHandler.Completion
    ) -> (any Cancellable)? {
        let routed =
            if route.hedge != nil, handler.operation.hasCacheableResponses, request.upload == nil {
                HedgedRequest(request, on: route, handler, completion: completion)
            } else {
                RoutedRequest(request, on: route, handler, completion: completion)
            }
        routed.start()
        return routed.completion == nil ? nil : routed
    }

    init(
        _ request: RelayRequest, on route: ModelRoute, _ handler: RelayHandler,
        completion: @escaping RequestHandler.Completion
    ) {
        self.request = request
        self.route = route
        self.handler = handler
        self.completion = completion
        metadata = request.metadata
        plan = AttemptPlan([], route.rules)
    }

    final var now: UInt64 { metadata.record.now }

    private func start() {
        handler.targetStates.noteRequest(at: now)
        if let total = route.total {
            deadline = ResponseDeadline(after: total, metadata) { [self] in
                expiry = GatewayError.totalTimeout
                cancel()
            }
        }
        chooseTargets()
    }

    private func chooseTargets() {
        guard route.affinity != nil || route.hasConditions else { return begin(TargetSelection()) }
        guard request.envelope.size > LongDocument.threshold else {
            return begin(
                handler.selection(
                    of: request.envelope, request.head.fields, caller: metadata.caller.name,
                    group: metadata.caller.group, on: route))
        }
        // Nothing changes the request during the wait.
        nonisolated(unsafe) let waiting = request
        let (reader, route) = (handler, route)
        aside(metadata) { () throws(GatewayError) in
            reader.selection(
                of: waiting.envelope, waiting.head.fields, caller: waiting.metadata.caller.name,
                group: waiting.metadata.caller.group, on: route)
        } then: { [self] result in
            switch result {
            case .success(let selection): begin(selection)
            case .failure(let error): complete(.failure(error))
            }
        }
    }

    private func begin(_ selection: TargetSelection) {
        let candidates = handler.candidates(of: route, for: request.envelope, at: now, selection)
        guard !candidates.isEmpty else {
            return complete(.failure(handler.untaken(request.envelope.model, on: route)))
        }
        plan = AttemptPlan(candidates, route.rules)
        follow(plan.begin())
    }

    private var conclusion: GatewayError {
        plan.conclusion(model: request.envelope.model, at: now, isClosing: !handler.targetStates.allowsRetries)
    }

    final func follow(_ step: AttemptPlan.Step) {
        switch step {
        case .send(let target): send(to: target)
        case .lastResort(let target): send(to: target, .lastResort)
        case .wait(let nanoseconds, let target):
            wait {
                handler.targetStates.pause(.nanoseconds(Int64(nanoseconds)), metadata) { [self] end in
                    stepEnded()
                    switch end {
                    case .timedOut: send(to: target, .retry)
                    case .cancelled: complete(.failure(TransportError(.cancelled)))
                    case .closed, .full: complete(.failure(conclusion))
                    }
                }
            }
        case .pending: break
        case .over:
            complete(.failure(conclusion))
        }
    }

    // MARK: One attempt

    /// Reason for sending the request to a target.
    private enum Turn {
        case first
        /// Only resting keys are left.
        case lastResort
        /// The request has waited for the target.
        case retry

        /// Returns whether a key that rests for this reason is used, if there are other targets.
        func takes(_ reason: Rest.Reason) -> Bool {
            switch self {
            case .first: false
            case .lastResort: reason == .refused
            case .retry: reason != .wrong
            }
        }
    }

    private func send(to index: Int, _ turn: Turn = .first) {
        let target = route.targets[index]
        if handler.estimates(for: target, request.envelope.model) { return estimate(at: target) }
        let tried = turn == .retry ? [] : triedKeys[index] ?? []
        var isLastResort = false
        let key: Int
        switch target.limits.keys.choose(
            for: target.name(of: request.envelope.model), at: now, tried: tried.contains)
        {
        case .key(let chosen): key = chosen
        case .resting(let chosen, let reason, let instant):
            // If there is only one target, the upstream decides.
            guard route.targets.count == 1 || turn.takes(reason) else {
                return rest(until: instant, isLastResort: turn == .first && reason == .refused)
            }
            isLastResort = reason == .refused
            key = chosen
        case .exhausted: key = tried.last ?? 0
        }
        guard let flight = target.limits.flight else {
            return attempt(index, key: key, slot: nil, isLastResort: isLastResort)
        }
        wait {
            flight.queue.enter(
                caller: metadata.caller.name, priority: priority, limit: flight.limit, timeout: flight.timeout, metadata
            ) { [self] result in
                stepEnded()
                switch result {
                case .success(let slot): attempt(index, key: key, slot: slot, isLastResort: isLastResort)
                case .failure(.cancelled): complete(.failure(TransportError(.cancelled)))
                case .failure(.closed): complete(.failure(GatewayError.unansweredAtShutdown))
                case .failure(.full), .failure(.timedOut): skip(until: nil)
                }
            }
        }
    }

    /// Priority of the caller, which the request can only lower.
    private var priority: RequestPriority {
        let lowered = request.head.fields.value(named: .xHeadgatePriority) == RequestPriority.batch.rawValue
        return lowered ? .batch : metadata.caller.priority
    }

    /// Responds with an estimate. The target gets no request, so its state does not change.
    private func estimate(at target: ModelTarget) {
        wait {
            RelayAttempt.start(request, at: target, target.upstream, handler) { [self] result in
                stepEnded()
                complete(result)
            }
        }
    }

    private func skip(until instant: UInt64?) {
        follow(plan.skip(until: instant, random: .random(in: 0...1), mayRetry: mayRetry))
    }

    private func rest(until instant: UInt64, isLastResort: Bool) {
        follow(
            plan.rest(until: instant, isLastResort: isLastResort, random: .random(in: 0...1), mayRetry: mayRetry))
    }

    final func mayRetry() -> Bool {
        // A streamed upload cannot be replayed.
        if request.upload?.hasBegun == true { return false }
        return handler.targetStates.takeRetry(percent: route.rules.budgetPercent, at: now)
    }

    private func attempt(_ index: Int, key: Int, slot: UpstreamQueue.Slot?, isLastResort: Bool) {
        let target = route.targets[index]
        let limits = target.limits
        let now = now
        let breaker = limits.breaker.map { limits.health.admit(at: now, cooldown: $0.cooldown) } ?? .closed
        if case .open(let until) = breaker {
            slot?.leave()
            return skip(until: until)
        }
        let probeEnd = breaker == .halfOpen ? limits.breaker.map { now &+ $0.cooldown } : nil
        make(begin(index, key: key, slot: slot, isLastResort: isLastResort, probeEnd: probeEnd))
    }

    /// Counts a send to a target.
    final func begin(
        _ index: Int, key: Int, slot: UpstreamQueue.Slot?, isLastResort: Bool = false, probeEnd: UInt64? = nil
    ) -> AttemptActivity {
        triedKeys[index, default: []].append(key)
        plan.sent()
        return AttemptActivity(
            at: index, of: route, request.envelope.model, key: key, slot: slot, isLastResort: isLastResort,
            probeEnd: probeEnd, isHeld: plan.hasAttemptLeft && request.upload == nil,
            isDegraded: route.targets[index].limits.isLocal && isOffline, startedAt: now)
    }

    /// Starts an attempt.
    ///
    /// - Parameters:
    ///   - request: the request of the attempt.
    ///   - isHeld: whether another attempt can follow, or runs concurrently.
    ///   - completion: called once, possibly before this method returns.
    /// - Returns: a handle that cancels the attempt; nil if it is already over.
    final func start(
        _ attempt: AttemptActivity, _ request: RelayRequest, isHeld: Bool,
        completion: @escaping RequestHandler.Completion
    ) -> (any Cancellable)? {
        RelayAttempt.start(
            request, at: attempt.target, attempt.upstream, handler, isHeld: isHeld, total: route.total,
            activity: attempt, completion: completion)
    }

    /// Makes an attempt, as a step.
    func make(_ attempt: AttemptActivity) {
        wait {
            start(attempt, request, isHeld: attempt.isHeld) { [self] result in
                stepEnded()
                switch result {
                case .success(let response):
                    note(attempt, error: nil, result: AttemptSummary.ok)
                    receive(response, of: attempt)
                case .failure(let error): failed(error, attempt, metadata.record)
                }
            }
        }
    }

    /// Whether only local targets can be reached.
    private var isOffline: Bool {
        route.targets.contains { !$0.limits.isLocal }
            && route.targets.allSatisfy { $0.limits.isLocal || $0.limits.reach.offlineUntil(at: now) != nil }
    }

    final func receive(_ response: ServerResponse, of attempt: AttemptActivity) {
        attempt.succeeded()
        guard handler.hasResponseFields, plan.sends > 1 || attempt.isDegraded else {
            return complete(.success(response))
        }
        var fields: HTTPFields = [:]
        if plan.sends > 1 { fields[.xHeadgateAttempts] = "\(plan.sends)" }
        if attempt.isDegraded { fields[.xHeadgateDegraded] = "offline" }
        var told = response
        told.head = RelayFields.head(response.head, passing: fields)
        complete(.success(told))
    }

    /// Records that an attempt has failed, and follows the next step of the plan.
    ///
    /// - Parameter record: the record of the attempt.
    final func failed(_ error: any Error, _ attempt: AttemptActivity, _ record: RequestRecord) {
        guard let error = error as? GatewayError, !isCancelled else { return complete(.failure(error)) }
        let hasResponse = record.facts.upstreamStatus != nil
        note(
            attempt, error: error.label, detail: error.detail,
            result: hasResponse || error.origin == .upstream ? error.metricLabel : nil)
        attempt.failed(error, at: now, hasResponse: hasResponse)
        record.leave()
        follow(plan.fail(error, of: attempt.index, random: .random(in: 0...1), mayRetry: mayRetry))
    }

    final func note(_ attempt: AttemptActivity, error: String?, detail: String? = nil, result: String?) {
        metadata.record.facts.attempts.append(
            attempt.summary(error: error, detail: detail, result: result, at: now))
    }

    private func complete(_ result: Result<ServerResponse, any Error>) {
        guard let completion = completion.take() else { return }
        switch result {
        case .success(let response):
            if let deadline { response.body?.end(by: deadline, with: .totalTimeout) }
            completion(result)
        case .failure(let error):
            deadline?.cancel()
            completion(.failure(expiry ?? error))
        }
        deadline = nil
    }
}
