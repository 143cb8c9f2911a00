internal import HeadgatePrimitives

/// What LiteLLM's settings say of all models together.
struct LiteLLMRouting {
    enum Strategy { case shuffle, leastBusy, fastest }

    var strategy = Strategy.shuffle
    var retries: Int?
    /// Seconds.
    var timeout: Double?
    var streamTimeout: Double?
    var fallbacks: [ExactText: [(name: String, position: SourcePosition)]] = [:]
    var defaultFallbacks: [(name: String, position: SourcePosition)] = []
    var aliases: [(alias: String, name: String, position: SourcePosition)] = []
    var breaker: (failures: Int, cooldown: Double)?
}

extension LiteLLMReader {
    /// Of `router_settings`, and what `litellm_settings` says where they say nothing.
    mutating func routing() -> LiteLLMRouting {
        var routing = LiteLLMRouting()
        let sections = ["router_settings", "litellm_settings"].compactMap { root[$0] }
        func first(_ keys: String...) -> YAMLNode? {
            sections.lazy.flatMap { section in keys.compactMap { section[$0] } }.first
        }
        if let node = first("routing_strategy") { routing.strategy = strategy(node) }
        routing.retries = first("num_retries")?.count
        routing.timeout = first("timeout", "request_timeout")?.number
        routing.streamTimeout = first("stream_timeout")?.number
        let (fails, cooldown) = (first("allowed_fails")?.count, first("cooldown_time")?.number)
        if fails != nil || cooldown != nil {
            routing.breaker = (min(1000, (fails ?? 3) + 1), min(86_400, max(1, cooldown ?? 5)))
        }
        for section in sections {
            for item in section["fallbacks"]?.items ?? [] {
                for entry in item.entries {
                    let names = entry.value.items.compactMap { node in node.text.map { ($0, node.position) } }
                    routing.fallbacks[ExactText(entry.key), default: []] += names
                }
            }
            for node in section["default_fallbacks"]?.items ?? [] {
                if let name = node.text { routing.defaultFallbacks.append((name, node.position)) }
            }
            for entry in section["model_group_alias"]?.entries ?? [] {
                guard let name = entry.value.text ?? entry.value["model"]?.text else { continue }
                routing.aliases.append((entry.key, name, entry.keyPosition))
            }
        }
        return routing
    }

    private mutating func strategy(_ node: YAMLNode) -> LiteLLMRouting.Strategy {
        switch node.text {
        case "simple-shuffle": break
        case "least-busy": return .leastBusy
        case "latency-based-routing": return .fastest
        default:
            note(
                "routing_strategy \(quoted(node.text ?? "")): requests are shared out at random, by weight (choose: "
                    + "weighted)",
                node.position)
        }
        return .shuffle
    }

    // MARK: What is left

    /// Members that are read elsewhere.
    private static let membersRead: Set<String> = [
        "routing_strategy", "num_retries", "timeout", "request_timeout", "stream_timeout", "allowed_fails",
        "cooldown_time", "fallbacks", "default_fallbacks", "model_group_alias",
    ]

    /// Instead of a member, what there is here.
    private static let advice: [String: String] = [
        "master_key": "make a key with 'headgate key new' and put it under keys:, with admin: true",
        "database_url": "keys and usage are kept by the gateway itself; see docs/keys.md and docs/usage.md",
        "context_window_fallbacks": "a request that is too long gets the upstream's answer, and no other model",
        "content_policy_fallbacks": "a refused request gets the upstream's answer, and no other model",
        "drop_params": "members that an upstream's API lacks are left out by translation; parameters: {strip: [...]} "
            + "takes out others",
        "cache": "see cache: of a model in docs/cache.md",
        "cache_params": "see cache: of a model in docs/cache.md",
        "success_callback": "see docs/operations.md for metrics, docs/tracing.md for traces, docs/usage.md for costs",
        "failure_callback": "see docs/operations.md for metrics and docs/tracing.md for traces",
        "callbacks": "see docs/operations.md for metrics and docs/tracing.md for traces",
        "set_verbose": "see log: {level: debug}",
        "json_logs": "see log: {format: json}",
        "max_budget": "see budget:",
        "budget_duration": "see budget:",
        "max_parallel_requests": "see limits: {in_flight: N} of keys and models",
        "global_max_parallel_requests": "see limits: {connections: N}",
    ]

    mutating func noteSections() {
        for entry in root.entries where !entry.value.isNull {
            switch entry.key {
            case "model_list", "credential_list": continue
            case "litellm_settings", "router_settings", "general_settings":
                for member in entry.value.entries where !LiteLLMReader.isDone(member, in: entry.key) {
                    let advice = LiteLLMReader.advice[member.key].map { ": \($0)" } ?? ""
                    note("\(quoted(member.key)) of \(entry.key)\(advice)", member.keyPosition)
                }
            case "environment_variables":
                let names = entry.value.entries.map { quoted($0.key) }.joined(separator: ", ")
                note("environment_variables: set \(names) in the gateway's environment", entry.keyPosition)
            case "include": note("include: the other files; import each by itself", entry.keyPosition)
            default: note("\(quoted(entry.key))", entry.keyPosition)
            }
        }
    }

    private static func isDone(_ member: YAMLEntry, in section: String) -> Bool {
        if member.value.isNull { return true }
        return section != "general_settings" && membersRead.contains(member.key)
    }
}
