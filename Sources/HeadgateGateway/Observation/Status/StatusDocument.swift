internal import HeadgateConfiguration
internal import HeadgateHTTP
internal import JSONBytes

/// Writes the schema `Status` of the contract. 200 requests take about 0.2 ms on the loop.
struct StatusDocument {
    /// Nanoseconds since 1970, like ``now``.
    let startedAt: Int64
    let now: Int64
    let isDraining: Bool
    let upstreams: [Upstream]
    let history: RequestHistory

    var json: [UInt8] {
        let recent = history.latest
        var output = JSONMembers(room: 1024 + 400 * recent.count)
        output.append("version", GatewayVersion.text)
        output.append("started_at", time: startedAt)
        output.append("now", time: now)
        output.append("uptime_seconds", Int((now - startedAt) / 1_000_000_000))
        output.append("is_draining", isDraining)
        output.append("requests_in_flight", upstreams.reduce(0) { $0 + $1.activity.requestsInFlight })
        output.append("streams_in_flight", upstreams.reduce(0) { $0 + $1.activity.streamsInFlight })
        output.append("totals", members: writeTotals)
        output.append("upstreams", list: upstreams, members: write)
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
    }

    private func write(_ output: inout JSONMembers, _ upstream: Upstream) {
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
            output.append("last_error") { inner in
                inner.append("at", time: failure.at)
                inner.append("code", failure.code)
                inner.append("detail", failure.detail)
            }
        }
    }

    private func write(_ output: inout JSONMembers, _ request: RequestSummary) {
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
    }
}
