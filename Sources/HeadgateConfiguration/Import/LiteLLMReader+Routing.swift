internal import HeadgatePrimitives

/// LiteLLM's routing settings for all models.
struct LiteLLMRouting {
    enum Strategy { case shuffle, leastBusy, fastest }

    var strategy = Strategy.shuffle
    var retries: Int?
    /// Timeout in seconds.
    var timeout: Double?
    var streamTimeout: Double?
    var fallbacks: [ExactText: [(name: String, position: SourcePosition)]] = [:]
    var defaultFallbacks: [(name: String, position: SourcePosition)] = []
    var aliases: [(alias: String, name: String, position: SourcePosition)] = []
    var breaker: (failures: Int, cooldown: Double)?
}

extension LiteLLMReader {
    /// Reads `router_settings`, and `litellm_settings` for missing values.
    mutating func routing() -> LiteLLMRouting {
        var routing = LiteLLMRouting()
        let sections = ["router_settings", "litellm_settings"].compactMap { root[$0] }
        if let node = first("routing_strategy", in: sections) { routing.strategy = strategy(node) }
        routing.retries = wholeNumber("num_retries", in: sections)
        routing.timeout = number("timeout", "request_timeout", in: sections)
        routing.streamTimeout = number("stream_timeout", in: sections)
        let (fails, cooldown) = (wholeNumber("allowed_fails", in: sections), number("cooldown_time", in: sections))
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
                if entry.value["hidden"]?.text == "true" {
                    note(
                        "hidden of model_group_alias \(quoted(entry.key)): it is listed; models: of a key says what "
                            + "that key sees",
                        entry.keyPosition)
                }
                guard let name = entry.value.text ?? entry.value["model"]?.text else {
                    note("model_group_alias \(quoted(entry.key)) names no model: write its model", entry.keyPosition)
                    continue
                }
                routing.aliases.append((entry.key, name, entry.keyPosition))
            }
        }
        return routing
    }

    /// Returns the effective value. A different one in a later section is noted.
    private mutating func first(_ keys: String..., in sections: [YAMLNode]) -> YAMLNode? {
        first(keys, in: sections)
    }

    private mutating func first(_ keys: [String], in sections: [YAMLNode]) -> YAMLNode? {
        let found = sections.flatMap { section in keys.compactMap { key in section[key].map { (key, $0) } } }
        guard let first = found.first else { return nil }
        for (key, node) in found.dropFirst() where node.text != first.1.text {
            note("a second \(key), which says something else: line \(first.1.position.line) counts", node.position)
        }
        return first.1
    }

    private mutating func number(_ keys: String..., in sections: [YAMLNode]) -> Double? {
        guard let node = first(keys, in: sections) else { return nil }
        if node.number == nil { note("\(keys[0]), which is not a number: write it by hand", node.position) }
        return node.number
    }

    private mutating func wholeNumber(_ key: String, in sections: [YAMLNode]) -> Int? {
        guard let node = first(key, in: sections) else { return nil }
        if node.count == nil { note("\(key), which is not a whole number: write it by hand", node.position) }
        return node.count
    }

    mutating func noteFallbacksOfNobody(_ routing: LiteLLMRouting, _ groups: [LiteLLMGroup]) {
        for (name, targets) in routing.fallbacks where !groups.contains(where: { $0.name.isExactly(name.text) }) {
            guard let position = targets.first?.position else { continue }
            note("fallbacks of \(quoted(name.text)): there is no such model; name one that there is", position)
        }
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

    // MARK: Other members

    /// Members that are read elsewhere.
    private static let membersRead: Set<String> = [
        "routing_strategy", "num_retries", "timeout", "request_timeout", "stream_timeout", "allowed_fails",
        "cooldown_time", "fallbacks", "default_fallbacks", "model_group_alias",
    ]

    /// Advice about the counterparts of members that are not imported.
    private static let advice: [String: String] = [
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
        "alerting": "see docs/operations.md for metrics, from which alerts are made",
        "redis_host": "see docs/scaling.md for several gateways", "redis_port": "see docs/scaling.md",
        "redis_password": "see docs/scaling.md", "redis_url": "see docs/scaling.md",
        "enable_pre_call_checks": "a request that is too long for one target is sent to the next one by itself",
        "store_model_in_db": "models stand in this file", "proxy_batch_write_at": "usage is written by itself",
    ]

    private static let noCounterpart = "there is no counterpart; do without it"

    /// Reads the master key as a client key. It has no rights beyond those of a client here.
    private mutating func readMasterKey(_ member: YAMLEntry) {
        guard let value = member.value.text.map(ImportedValue.init(liteLLM:)) else { return }
        let key: String? =
            switch value {
            case .literal(let text): text
            case .variable(let name): environment[name].flatMap { $0.isEmpty ? nil : $0 }
            }
        guard let key, let digest = digest(key) else {
            let source =
                if case .variable(let name) = value { "\(name) is not set: set it" } else { "it is empty: write it" }
            return note("master_key: \(source), and import again, so that its clients can come in", member.keyPosition)
        }
        masterKey = digest
        note(
            "the rights of master_key: it is a client's key like others; for /status and keys make one with 'headgate "
                + "key new', with admin: true",
            member.keyPosition)
        if key.utf8.count < LiteLLMReader.shortestGoodKey {
            note(
                "master_key is shorter than \(LiteLLMReader.shortestGoodKey) characters, so that it can be guessed: "
                    + "give clients one of 'headgate key new', and take it out under keys:",
                member.keyPosition)
        }
    }

    private static let shortestGoodKey = 20

    mutating func noteSections() {
        for entry in root.entries where !entry.value.isNull {
            switch entry.key {
            case "model_list", "credential_list": continue
            case "litellm_settings", "router_settings", "general_settings":
                for member in entry.value.entries where !LiteLLMReader.isDone(member, in: entry.key) {
                    if member.key == "master_key", entry.key == "general_settings" {
                        readMasterKey(member)
                        continue
                    }
                    let advice = LiteLLMReader.advice[member.key] ?? LiteLLMReader.noCounterpart
                    note("\(quoted(member.key)) of \(entry.key): \(advice)", member.keyPosition)
                }
            case "environment_variables":
                let names = entry.value.entries.map { quoted($0.key) }.joined(separator: ", ")
                note("environment_variables: set \(names) in the gateway's environment", entry.keyPosition)
            case "include": note("include: the other files; import each by itself", entry.keyPosition)
            default: note("\(quoted(entry.key)): \(LiteLLMReader.noCounterpart)", entry.keyPosition)
            }
        }
    }

    private static func isDone(_ member: YAMLEntry, in section: String) -> Bool {
        if member.value.isNull { return true }
        return section != "general_settings" && membersRead.contains(member.key)
    }
}
