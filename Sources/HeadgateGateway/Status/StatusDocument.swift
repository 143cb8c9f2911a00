internal import HeadgateConfiguration
internal import HeadgateHTTP
internal import JSONBytes

/// The schema `Status` of the contract, written.
struct StatusDocument {
    /// Nanoseconds since 1970, like ``now``.
    let startedAt: Int64
    let now: Int64
    let isDraining: Bool
    let upstreams: [Upstream]
    let history: RequestHistory

    var json: [UInt8] {
        var output = JSONMembers()
        output.append("version", GatewayVersion.text)
        output.append("started_at", time: startedAt)
        output.append("now", time: now)
        output.append("uptime_seconds", Int((now - startedAt) / 1_000_000_000))
        output.append("is_draining", isDraining)
        output.append("requests_in_flight", upstreams.reduce(0) { $0 + $1.activity.requestsInFlight })
        output.append("streams_in_flight", upstreams.reduce(0) { $0 + $1.activity.streamsInFlight })
        output.append("totals", members: totals)
        output.append("upstreams", list: upstreams.map(members))
        output.append("recent", list: history.latest.map(members))
        return output.object
    }

    private var totals: JSONMembers {
        let totals = history.totals
        var output = JSONMembers()
        output.append("finished", totals.finished)
        output.append("client_gone", totals.clientGone)
        output.append("upstream_failed", totals.upstreamFailed)
        output.append("timed_out", totals.timedOut)
        output.append("refused", totals.refused)
        output.append("drained", totals.drained)
        output.append("prompt_tokens", totals.promptTokens)
        output.append("completion_tokens", totals.completionTokens)
        return output
    }

    private func members(_ upstream: Upstream) -> JSONMembers {
        var output = JSONMembers()
        output.append("name", upstream.name)
        output.append("kind", upstream.kind.rawValue)
        switch upstream.activity.reachability {
        case .unknown: output.append("reachable", nil as Bool?)
        case .reachable: output.append("reachable", true)
        case .unreachable: output.append("reachable", false)
        }
        output.append("requests_in_flight", upstream.activity.requestsInFlight)
        output.append("streams_in_flight", upstream.activity.streamsInFlight)
        if let failure = history.lastFailure(of: upstream.name) {
            var inner = JSONMembers()
            inner.append("at", time: failure.at)
            inner.append("code", failure.code)
            inner.append("detail", failure.detail)
            output.append("last_error", members: inner)
        }
        return output
    }

    private func members(_ request: RequestSummary) -> JSONMembers {
        var output = JSONMembers()
        output.append("id", request.id)
        output.append("ended_at", time: request.endedAt)
        output.append("operation", request.operation)
        output.append("key", request.keyName)
        output.append("model", request.model)
        output.append("upstream", request.upstream)
        output.append("status", request.status)
        output.append("outcome", request.end.rawValue)
        output.append("error", request.errorCode)
        output.append("stream", request.isStream)
        output.append("ttft_ms", milliseconds: request.timeToFirstContent)
        output.append("duration_ms", milliseconds: request.duration)
        output.append("prompt_tokens", request.promptTokens)
        output.append("completion_tokens", request.completionTokens)
        return output
    }
}
