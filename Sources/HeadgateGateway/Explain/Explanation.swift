internal import HTTPTypes
internal import HeadgateConfiguration
internal import HeadgateHTTP
internal import HeadgatePrimitives
internal import HeadgateRelay

/// Explanation of how a request would be handled, as in the contract's `Explanation` schema.
struct Explanation: Sendable {
    static let mediaType = "application/vnd.headgate.explanation+json"

    let operation: RelayOperation
    /// Model name that the client sent.
    let model: String
    /// Configured name or pattern that matches the model.
    let matched: String
    let route: ModelRoute
    /// Whether the request has an affinity key; nil without an affinity rule.
    let hasAffinityKey: Bool?
    /// Conditions of a hedge; nil if the request would not be hedged.
    let hedge: ExplainedHedge?
    /// Whether the next request might try the targets in another order.
    let isRandom: Bool
    /// Targets in the order in which the request tries them; targets that never receive it come last.
    let situations: [TargetSituation]
    let rules: [AppliedRule]
    let request: ExplainedRequest
    let mask: SecretMask

    static func response(_ document: [UInt8]) -> ServerResponse {
        let fields: HTTPFields = [.contentType: mediaType, .cacheControl: "no-store"]
        return ServerResponse(HTTPResponse(status: .ok, headerFields: fields), .bytes(document))
    }

    /// JSON without secrets. All of it is masked, because model names also come from clients.
    var document: [UInt8] { mask.masked(json: json) }

    private var json: [UInt8] {
        var output = JSONMembers(room: 4096 + 2 * request.body.count)
        output.append("operation", operation.id)
        output.append("model", model)
        output.append("matched", matched)
        output.append("is_pattern", matched.patternPrefix != nil)
        output.append("choose", route.choice.rawValue)
        output.append("order_is_random", isRandom)
        if let rule = route.affinity {
            output.append("affinity") { inner in
                inner.append("rule", rule.text)
                inner.append("has_key", hasAffinityKey ?? false)
            }
        }
        output.append("retry", members: write(retry:))
        if let hedge { output.append("hedge", members: hedge.write) }
        output.append("total_timeout_ms", milliseconds: route.total)
        output.append("targets", list: situations, members: write)
        output.append("rules", list: rules, members: write)
        output.append("request", members: write(request:))
        return output.end()
    }

    private func write(retry output: inout JSONMembers) {
        let rules = route.rules
        output.append("attempts", rules.attempts)
        output.append("backoff_ms", Int(clamping: rules.backoff / 1_000_000))
        output.append("max_backoff_ms", Int(clamping: rules.maximumBackoff / 1_000_000))
        output.append("budget_percent", rules.budgetPercent)
        output.append("on", texts: rules.faults.map(\.text).sorted())
    }

    private func write(_ output: inout JSONMembers, _ situation: TargetSituation) {
        let target = situation.target
        output.append("upstream", target.upstream.name)
        output.append("model", target.model ?? model)
        output.append("weight", target.weight)
        output.append("local", target.limits.isLocal)
        output.append("state", situation.state.rawValue)
        output.append("reason", situation.reason)
        output.append("remaining_ms", situation.remaining.map { Int(clamping: ($0 + 999_999) / 1_000_000) })
        output.append("keys", target.limits.keys.count)
        output.append("in_flight", situation.inFlight)
        output.append("limit", target.limits.flight?.limit)
        output.append("waiting", situation.waiting)
        output.append("timeouts") { inner in
            let timeouts = target.upstream.timeouts
            inner.append("connect_ms", milliseconds: timeouts.connect)
            inner.append("first_byte_ms", milliseconds: timeouts.firstByte)
            inner.append("silence_ms", milliseconds: timeouts.silence)
            inner.append("first_content_ms", milliseconds: timeouts.firstContent)
        }
    }

    private func write(_ output: inout JSONMembers, _ rule: AppliedRule) {
        output.append("rule", rule.kind.rawValue)
        output.append("member", rule.member)
        output.append("changed", rule.changesRequest)
        output.append("before", json: rule.before)
        output.append("after", json: rule.after)
    }

    private func write(request output: inout JSONMembers) {
        output.append("upstream", request.upstream)
        output.append("method", request.method)
        output.append("url", request.url)
        output.append("fields", list: request.fields) { inner, field in
            inner.append("name", field.name.rawName)
            inner.append("value", field.value)
        }
        output.append("body", json: request.body)
        output.append("curl", request.curl)
    }
}

extension AffinityRule {
    /// Name of the rule in the configuration.
    fileprivate var text: String {
        switch self {
        case .conversation: "conversation"
        case .user: "user"
        case .promptCacheKey: "prompt_cache_key"
        case .header(let name): "header:\(name.rawName)"
        }
    }
}
