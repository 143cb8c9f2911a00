internal import HeadgatePrices

extension MappingDeclaration {
    static let model = MappingDeclaration(
        name: "model",
        keys: [
            KeyDeclaration("upstream", .text, "The name of the upstream that serves it.", isRequired: true),
            KeyDeclaration(
                "model", .text, "The upstream's name for it.", standard: .described("the name that the client writes")),
            KeyDeclaration(
                "targets", .list(.mapping(.target), minimum: 1),
                "Several upstreams that serve it, in place of upstream and model; at most 16.",
                replaces: ["upstream", "model"]),
            KeyDeclaration(
                "choose", .choice(TargetChoice.allCases.map(\.rawValue)),
                "Which target is tried first: in order, at random by weight, the one with the fewest requests in "
                    + "flight, or the one whose content has lately come soonest.",
                standard: .value(TargetChoice.first.rawValue)),
            KeyDeclaration(
                "affinity", .pattern("^(none|conversation|user|prompt_cache_key|header:.+)$"),
                "What requests have in common that go to the same target while it is healthy: none, conversation, "
                    + "user, prompt_cache_key or header:NAME.",
                standard: .value("none")),
            KeyDeclaration(
                "retry", .mapping(.retry),
                "When a request is sent again, to the next target or the same one. Never after content went to the "
                    + "client."),
            KeyDeclaration(
                "on_disconnect", .choice(OnDisconnect.allCases.map(\.rawValue)),
                "What becomes of an answer whose client leaves: it ends at once, it is read on for its usage, or it is "
                    + "kept for the client to come back to.",
                standard: .value(OnDisconnect.cancel.rawValue)),
            KeyDeclaration(
                "hedge", .mapping(.hedge),
                "Sends a request that has brought no content for long to another target too: the first with content is "
                    + "relayed, the other cancelled.",
                standard: .described("never")),
            KeyDeclaration("timeouts", .mapping(.modelTimeouts), "What differs from the upstream's."),
            KeyDeclaration(
                "cache", .mapping(.modelCache), "Keeps answers, for identical requests.",
                standard: .described("nothing is kept")),
            KeyDeclaration(
                "limits", .mapping(.usageLimits), "What all its requests together may use.",
                standard: .described("as much as they like")),
            KeyDeclaration(
                "max_output_tokens", .wholeNumber(1...100_000_000),
                "Most tokens of one completion. Limits and budgets reserve at most this, and exactly this if a request "
                    + "states no limit.",
                standard: .described("unknown; 4,096 are reserved if a request states no limit")),
            KeyDeclaration("parameters", .mapping(.parameters), "What differs from the upstream's, name by name."),
            KeyDeclaration(
                "system", .mapping(.instructions),
                "Instructions that its requests get, whatever API the client speaks."),
            KeyDeclaration("description", .text, "Description of the model in lists; at most 1,024 bytes."),
            KeyDeclaration(
                "allow_tiers", .list(.choice(ServiceTier.configurable.map(\.rawValue)), minimum: 1),
                "Service tiers that its requests may select; others are refused.", standard: .described("all")),
        ])

    static let instructions = MappingDeclaration(
        name: "instructions",
        keys: [
            KeyDeclaration("prepend", .text, "Text before the client's own instructions; at most 64 KiB."),
            KeyDeclaration("append", .text, "Text after the client's own instructions; at most 64 KiB."),
            KeyDeclaration("default", .text, "Text for requests without instructions; at most 64 KiB."),
        ])

    static let target = MappingDeclaration(
        name: "target",
        keys: [
            KeyDeclaration("upstream", .text, "The name of the target's upstream.", isRequired: true),
            KeyDeclaration(
                "model", .text, "The upstream's name for the model.",
                standard: .described("the name that the client writes")),
            KeyDeclaration(
                "weight", .wholeNumber(1...1000), "Its share, for choose: weighted and for affinity.",
                standard: .value("1")),
            KeyDeclaration("breaker", .mapping(.breaker), "What differs from the upstream's breaker."),
            KeyDeclaration(
                "when", .mapping(.condition), "The requests that the target gets; others pass it by.",
                standard: .described("all requests")),
        ])

    static let condition = MappingDeclaration(
        name: "condition",
        keys: [
            KeyDeclaration(
                "tokens_above", .wholeNumber(1...100_000_000), "Estimated tokens of the prompt that a request exceeds."),
            KeyDeclaration("images", .flag, "Whether the request has images."),
            KeyDeclaration("tools", .flag, "Whether the request has tools."),
            KeyDeclaration("keys", .list(.text, minimum: 1), "Names of the client keys that send it."),
            KeyDeclaration(
                "groups", .list(.text, minimum: 1), "Names of groups, of which one has the client key that sends it."),
            KeyDeclaration("headers", .named(.text), "Headers that the request has, each with exactly this value."),
        ])

    static let retry = MappingDeclaration(
        name: "retry",
        keys: [
            KeyDeclaration(
                "attempts", .wholeNumber(1...10), "All sends of one request, the first included.",
                standard: .described("2 with several targets or api_keys, 1 with one")),
            KeyDeclaration(
                "backoff", .duration, "The longest wait before the second send; it doubles with each further one.",
                standard: .value("200ms")),
            KeyDeclaration("max_backoff", .duration, "The most that it grows to.", standard: .value("5s")),
            KeyDeclaration(
                "budget", .percentage, "How many of the last minute's requests may be sent again, at least 3.",
                standard: .value("10%")),
            KeyDeclaration(
                "on",
                .list(.anyOf([.choice(RetryableFault.words), .wholeNumber(RetryableFault.statuses)]), minimum: 1),
                "What is followed by another send: connect, timeout (before content), stream (one that breaks off, "
                    + "stalls or holds an error before content), 5xx, or a status.",
                standard: .described("[connect, timeout, 408, 409, 425, 429, 5xx, stream]")),
        ])

    static let hedge = MappingDeclaration(
        name: "hedge",
        keys: [
            KeyDeclaration(
                "after", .anyOf([.choice([HedgeConfiguration.Delay.word]), .duration]),
                "How long the first attempt may take to bring content: a time of at most 15s, or p95, what 95 of the "
                    + "model's last 100 requests took (from 20 of the last 10 minutes on).",
                isRequired: true)
        ])

    static let breaker = MappingDeclaration(
        name: "breaker",
        keys: [
            KeyDeclaration(
                "failures", .wholeNumber(1...1000), "Failures in a row, until it is left out.", standard: .value("5")),
            KeyDeclaration(
                "cooldown", .duration, "How long it is left out, until one request tries it.", standard: .value("30s")),
        ])

    static let health = MappingDeclaration(
        name: "health",
        keys: [
            KeyDeclaration(
                "path", .path, "What GET asks for, behind base_url.", standard: .value("/models")),
            KeyDeclaration("every", .duration, "Between two checks, at least 1s.", standard: .value("30s")),
        ])

    static let modelTimeouts = MappingDeclaration(
        name: "model_timeouts",
        keys: timeouts.keys + [
            KeyDeclaration(
                "total", .duration, "For a whole request, with all its attempts.", standard: .described("no limit"))
        ])
}
