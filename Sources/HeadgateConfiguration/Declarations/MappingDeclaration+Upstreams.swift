extension MappingDeclaration {
    static let upstream = MappingDeclaration(
        name: "upstream",
        keys: [
            KeyDeclaration(
                "kind", .choice(KnownProvider.kinds),
                "The protocol that it speaks, or a provider, whose base_url, key variable and speaks are then known.",
                isRequired: true),
            KeyDeclaration(
                "base_url", .pattern("^(https?://|unix:/)"),
                "Where it is: https, http on this machine, or unix:<path>[:<path prefix>]. Azure and Anthropic may "
                    + "leave the path out.",
                isRequired: true, kinds: remote),
            KeyDeclaration(
                "api_key", .anyOf([.secret, .mapping(.keyCommand)]),
                "The provider's key, put on by the gateway and never seen by a client.", kinds: remote),
            KeyDeclaration(
                "api_keys", .list(.secret, minimum: 1),
                "Several of the provider's keys, taken in turn; one that gets 401, 403 or 429 rests.",
                replaces: ["api_key"], kinds: remote),
            KeyDeclaration(
                "headers", .named(.anyOf([.secret, .null])),
                "Fields of every request to it. Null takes a field out that the gateway would set by itself. What "
                    + "forward_headers passes on wins.",
                kinds: remote),
            KeyDeclaration(
                "forward_headers", .list(.text),
                "Fields of the client that are passed on as they are, in place of the gateway's own and of headers.",
                kinds: remote),
            KeyDeclaration(
                "strip_betas", .list(.text),
                "Betas to remove from the anthropic-beta and OpenAI-Beta headers of clients.", kinds: remote),
            KeyDeclaration("timeouts", .mapping(.timeouts), "How long to wait for it."),
            KeyDeclaration(
                "parameters", .mapping(.parameters), "What is changed in the top-level members of request bodies."),
            KeyDeclaration(
                "allow_private", .flag, "Whether its name may resolve to an address of a private network.",
                standard: .value("false"), kinds: remote),
            KeyDeclaration(
                "plain_http", .flag,
                "Whether http is allowed to another machine: keys and prompts travel in the clear.",
                standard: .value("false"), kinds: remote),
            KeyDeclaration(
                "proxy", .pattern("^http://"), "An HTTP proxy to reach it through: http://[user:password@]host:port.",
                kinds: remote),
            KeyDeclaration(
                "ca", .path, "A PEM file of certificate authorities that are trusted besides the system's.",
                kinds: remote),
            KeyDeclaration(
                "api_version", .pattern("^[0-9]{4}-[0-9]{2}-[0-9]{2}(-preview)?$"),
                "Azure's api-version, for its deployment paths; without it, its v1 paths are used.", kinds: [.azure]),
            KeyDeclaration(
                "relay_rate_limits", .flag, "Whether clients see how much of its rate limits is left.",
                standard: .described("only while there is at most one caller"), kinds: remote),
            KeyDeclaration(
                "speaks", .list(.choice(SpokenFormat.allCases.map(\.rawValue)), minimum: 1),
                "The forms of conversations that it takes; requests in another are translated.",
                standard: .described("[messages] for Anthropic, [chat, responses] for others"), kinds: remote),
            KeyDeclaration(
                "system_messages", .choice(SystemMessages.allCases.map(\.rawValue)),
                "Whether all instructions of a chat request become its first message, or stay messages of their own.",
                standard: .described("joined in translated requests, unless it is OpenAI or Azure"), kinds: remote),
            KeyDeclaration(
                "discover", .flag, "Whether /v1/models lists the models that it lists itself.",
                standard: .described("where a pattern leads to it, but for Azure and programs that the gateway runs"),
                kinds: remote),
            KeyDeclaration(
                "repair", .flag,
                "Whether a request that it refuses in a known way is sent again once without what it refuses, and "
                    + "later ones at once.",
                standard: .value("true"), kinds: remote),
            KeyDeclaration(
                "usage_in_streams", .choice(UsageInStreams.allCases.map(\.rawValue)),
                "Whether streams are asked for token counts (stream_options): auto asks unless it has refused that.",
                standard: .value("auto"), kinds: remote),
            KeyDeclaration(
                "passthrough", .flag,
                "Whether admin keys, and keys that name it, reach every path of its API at /upstream/NAME/....",
                standard: .value("false"), kinds: remote),
            KeyDeclaration(
                "max_in_flight", .wholeNumber(1...1_000_000), "Requests that it is sent at a time.",
                standard: .described("no limit")),
            KeyDeclaration(
                "queue_timeout", .duration,
                "How long a request beyond max_in_flight waits, until the next target is tried, or the answer is 503.",
                standard: .value("10s")),
            KeyDeclaration(
                "local", .flag, "Whether it can be used without a network.",
                standard: .described("whether base_url is on this machine"), kinds: remote),
            KeyDeclaration(
                "health", .mapping(.health), "Checks it whether there are requests or not.",
                standard: .described("no checks"), kinds: remote),
            KeyDeclaration(
                "breaker", .mapping(.breaker), "When a model of it that fails is left out for a while."),
            KeyDeclaration(
                "model", .path, "A GGUF file of your own to run on this device, with llama.cpp.",
                standard: .described("the built-in model"), kinds: [.onDevice]),
            KeyDeclaration(
                "command", .anyOf([.list(.text, minimum: 1), .mapping(.command)]),
                "A program on this machine that serves it, run by the gateway.", kinds: [.openai]),
        ])

    private static let remote = UpstreamKind.allCases.filter { $0 != .onDevice }

    static let timeouts = MappingDeclaration(
        name: "timeouts",
        keys: [
            KeyDeclaration(
                "connect", .duration, "Until the connection stands, TLS included.", standard: .value("5s")),
            KeyDeclaration(
                "first_byte", .duration,
                "Until the answer begins. A whole one that no other target could give may take as long as the model's "
                    + "total, or 10 minutes.", standard: .value("120s")),
            KeyDeclaration("silence", .duration, "The longest pause within an answer.", standard: .value("120s")),
            KeyDeclaration(
                "first_content", .duration, "Until the first content of a stream.", standard: .described("no limit")),
        ])

    static let parameters = MappingDeclaration(
        name: "parameters",
        keys: [
            KeyDeclaration("defaults", .named(.json), "Set where the client says nothing."),
            KeyDeclaration("overrides", .named(.json), "Set whatever the client says."),
            KeyDeclaration("strip", .list(.text), "Taken out."),
        ])

    static let secret = MappingDeclaration(
        name: "secret",
        keys: [
            KeyDeclaration("file", .path, "A file that holds it; a newline at its end does not count."),
            KeyDeclaration("credential", .text, "The name of a systemd credential (LoadCredential=)."),
        ])

    static let keyCommand = MappingDeclaration(
        name: "key_command",
        keys: [
            KeyDeclaration(
                "command", .list(.text, minimum: 1),
                "A program that prints the key, and its arguments. It is run without a shell.", isRequired: true),
            KeyDeclaration(
                "env", .anyOf([.list(.text), .named(.secret)]),
                "Variables of the gateway that it gets besides PATH, HOME, LANG and XDG_*, or names with values."),
            KeyDeclaration(
                "every", .duration, "How often it runs.",
                standard: .described("before its key expires, and after the upstream refuses the key")),
            KeyDeclaration("timeout", .duration, "How long a run may take, at most 5m.", standard: .value("10s")),
        ])

    static let command = MappingDeclaration(
        name: "command",
        keys: [
            KeyDeclaration("run", .list(.text, minimum: 1), "The program and its arguments.", isRequired: true),
            KeyDeclaration("env", .named(.secret), "Variables that are added to its environment."),
            KeyDeclaration(
                "health", .path, "Where GET answers 200 once it can serve.", standard: .value("/health")),
            KeyDeclaration(
                "preload", .flag, "Whether it is started with the gateway, not by the first request that needs it.",
                standard: .value("false")),
            KeyDeclaration(
                "start_timeout", .duration, "How long it may take until it is healthy.", standard: .value("5m")),
            KeyDeclaration(
                "ttl", .duration, "Without a request for this long it is stopped, until the next one.",
                standard: .described("never")),
            KeyDeclaration(
                "program_group", .text, "A group of programs of which only some run at once, by its name.",
                standard: .described("none")),
        ])

    static let programGroup = MappingDeclaration(
        name: "program_group",
        keys: [
            KeyDeclaration(
                "max", .wholeNumber(1...256), "Programs that run at once.", standard: .value("1")),
            KeyDeclaration(
                "queue", .wholeNumber(1...100_000), "Requests that wait for a program.", standard: .value("64")),
            KeyDeclaration(
                "wait", .duration, "How long a request waits until its program is started.", standard: .value("2m")),
            KeyDeclaration(
                "drain", .duration, "How long requests in flight have to end before their program makes room.",
                standard: .value("1m")),
        ])
}
