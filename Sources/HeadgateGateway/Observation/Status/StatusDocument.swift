internal import HeadgateConfiguration
internal import HeadgateHTTP
internal import HeadgatePrimitives
internal import HeadgateRelay
internal import JSONBytes

/// Document with the contract's schema `Status`. Writing 200 requests takes about 0.2 ms on the loop.
struct StatusDocument {
    /// Nanoseconds since 1970.
    let startedAt: Int64
    let now: Moment
    let isDraining: Bool
    let upstreams: [ObservedUpstream]
    let models: ModelTable
    let budgets: [BudgetUse]
    let history: RequestHistory

    var json: [UInt8] {
        let recent = history.latest
        var output = JSONMembers(room: 1024 + 400 * recent.count)
        output.append("version", GatewayVersion.text)
        output.append("started_at", time: startedAt)
        output.append("now", time: now.realtime)
        output.append("uptime_seconds", Int((now.realtime - startedAt) / 1_000_000_000))
        output.append("is_draining", isDraining)
        output.append("requests_in_flight", upstreams.reduce(0) { $0 + $1.activity.requestsInFlight })
        output.append("streams_in_flight", upstreams.reduce(0) { $0 + $1.activity.streamsInFlight })
        output.append("totals", members: writeTotals)
        output.append("upstreams", list: upstreams, members: write)
        output.append("models", list: models.routes.lazy.filter(\.route.hasHealth)) { output, model in
            output.append("name", model.name)
            output.append("targets", list: model.route.targets) { write(&$0, $1, of: model.name) }
        }
        output.append("budgets", list: budgets) { output, use in
            output.append("kind", use.subject.kind.rawValue)
            output.append("name", use.subject.kind == .gateway ? nil : use.subject.name)
            use.write(&output)
        }
        output.append("recent", list: recent, members: write)
        return output.end()
    }

    private func writeTotals(_ output: inout JSONMembers) {
        let totals = history.totals
        output.append("finished", totals.finished)
        output.append("client_gone", totals.clientGone)
        output.append("upstream_failed", totals.upstreamFailed)
        output.append("timed_out", totals.timedOut)
        output.append("refused", totals.refused)
        output.append("drained", totals.drained)
        output.append("prompt_tokens", totals.promptTokens)
        output.append("completion_tokens", totals.completionTokens)
        output.append("cache_hits", totals.cacheHits)
        output.append("cache_misses", totals.cacheMisses)
    }

    private func write(_ output: inout JSONMembers, _ upstream: ObservedUpstream) {
        output.append("name", upstream.name)
        output.append("kind", upstream.upstream.kind.rawValue)
        output.append("reachable", upstream.isReachable)
        output.append("healthy", upstream.isHealthy)
        output.append("offline", upstream.reach.offlineUntil(at: now.monotonic) != nil)
        output.append("requests_in_flight", upstream.activity.requestsInFlight)
        output.append("streams_in_flight", upstream.activity.streamsInFlight)
        output.append("in_flight_limit", upstream.flight?.limit)
        output.append("waiting", upstream.flight?.queue.waiting)
        output.append("keys") { inner in
            inner.append("count", upstream.keys.count)
            inner.append("resting", upstream.keys.resting(at: now.monotonic))
        }
        if let program = upstream.program { output.append("program") { program.status().write(&$0) } }
        if let failure = history.lastFailure(of: upstream.name) {
            output.append("last_error") { inner in
                inner.append("at", time: failure.at)
                inner.append("code", failure.code)
                inner.append("detail", failure.detail)
            }
        }
    }

    private func write(_ output: inout JSONMembers, _ target: ModelTarget, of model: String) {
        let limits = target.limits
        output.append("upstream", target.upstream.name)
        output.append("model", target.model)
        output.append("weight", target.weight)
        output.append("usable", target.isUsable(for: model, at: now.monotonic))
        if limits.breaker != nil {
            let state = limits.health.state(at: now.monotonic)
            output.append("breaker", state.word)
            if case .open(let instant) = state { output.append("open_until", time: now.realtime(of: instant)) }
        }
        output.append("requests_in_flight", limits.health.requestsInFlight)
        let average = limits.health.averageTimeToFirstContent(at: now.monotonic)
        output.append("ttft_ms", milliseconds: average.map { Double($0) / 1e9 })
    }

    private func write(_ output: inout JSONMembers, _ request: RequestSummary) {
        output.append("id", request.id)
        output.append("ended_at", time: request.endedAt)
        output.append("operation", request.operation)
        output.append("key", request.keyName)
        output.append("model", request.model)
        output.append("upstream", request.upstream)
        if !request.attempts.isEmpty { output.append("attempts", list: request.attempts, members: write) }
        output.append("status", request.status)
        output.append("upstream_status", request.upstreamStatus)
        output.append("outcome", request.end.rawValue)
        output.append("error", request.errorCode)
        output.append("finish_reason", request.finishReason)
        output.append("stream", request.isStream)
        output.append("ttft_ms", milliseconds: request.timeToFirstContent)
        output.append("duration_ms", milliseconds: request.duration)
        output.append("prompt_tokens", request.promptTokens)
        output.append("completion_tokens", request.completionTokens)
        if !request.notes.isEmpty { write(&output, request.notes) }
    }

    /// Writes the notes under the names that they have in the access log.
    private func write(_ output: inout JSONMembers, _ notes: OutcomeNotes) {
        output.append("detail", notes[.errorDetail])
        output.append("inspection", notes[.inspection].flatMap { Int($0) })
        output.append("fault", notes[.injectedFault])
        output.append("cache", notes[.cache])
        output.append("after_leaving", notes[.afterDisconnect])
        output.append("hedge", notes[.hedge])
        output.append("trace_id", notes.traceID)
        output.append("token_source", notes.tokenSource)
        output.append("cached_tokens", notes.usage.cacheRead)
        output.append("cache_write_tokens", notes.usage.cacheWritten)
        output.append("cost_usd", json: notes.cost.map { Array(($0.text ?? "null").utf8) })
    }

    private func write(_ output: inout JSONMembers, _ attempt: AttemptSummary) {
        output.append("upstream", attempt.upstream)
        output.append("model", attempt.model)
        output.append("key_number", attempt.key)
        output.append("error", attempt.error)
        output.append("duration_ms", Int(clamping: attempt.duration / 1_000_000))
    }
}

extension ProgramAccess.Status {
    func write(_ output: inout JSONMembers) {
        output.append("state", state)
        output.append("reason", reason)
        output.append("group", group)
        output.append("requests_in_flight", requestsInFlight)
        output.append("waiting", waiting)
        output.append("starts", starts)
        output.append("output", texts: self.output)
    }
}

extension BreakerState {
    fileprivate var word: String {
        switch self {
        case .closed: "closed"
        case .open: "open"
        case .halfOpen: "half_open"
        }
    }
}
