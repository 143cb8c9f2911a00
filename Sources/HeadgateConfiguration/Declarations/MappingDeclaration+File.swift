internal import HeadgatePrices

extension MappingDeclaration {
    /// Declaration of the whole file.
    static let file = MappingDeclaration(
        name: "file",
        keys: [
            KeyDeclaration(
                "listen",
                .anyOf([
                    .pattern(listenAddress), port, .mapping(.listener), .list(addressOrListener, minimum: 1),
                ]),
                "Where the gateway serves: one address, one mapping, or a list of both. HEADGATE_LISTEN in the "
                    + "environment replaces it.",
                standard: .value(ListenAddress.standard.description)),
            KeyDeclaration(
                "allowed_hosts", .list(.text),
                "Names besides its own addresses that the gateway may be called by: name, name:port or name:*.",
                standard: .described("none"), mayBeEmpty: true),
            KeyDeclaration(
                "allowed_origins", .list(.pattern("^[a-zA-Z][a-zA-Z0-9+.-]*://[^/]+$")),
                "Web pages that may call the gateway, such as https://chat.example.com.",
                standard: .described("none but its own"), mayBeEmpty: true),
            KeyDeclaration(
                "public_url", .pattern("^https?://[^/]+$"),
                "Where browsers find the gateway when something in front of it ends TLS."),
            KeyDeclaration(
                "loops", .wholeNumber(1...1024), "Event loops, each a thread.",
                standard: .described("one for each core")),
            KeyDeclaration(
                "upstreams", .named(.mapping(.upstream)),
                "Where requests go, by name. Without any, the environment decides.", mayBeEmpty: true),
            KeyDeclaration(
                "program_groups", .named(.mapping(.programGroup)),
                "Limits of the groups that upstreams name in command: {program_group: NAME}.",
                standard: .described("one program of a group at once")),
            KeyDeclaration(
                "models", .named(.mapping(.model)),
                "Public names and patterns, and the upstreams that serve each.", mayBeEmpty: true),
            KeyDeclaration(
                "keys", .list(.mapping(.key)), "The keys that clients present, known by their digests.",
                standard: .described("none"), mayBeEmpty: true),
            KeyDeclaration(
                "groups", .named(.mapping(.group)), "What keys with the same group share, by its name.",
                standard: .described("none"), mayBeEmpty: true),
            KeyDeclaration(
                "budget", .mapping(.budget), "What all requests together may use in each hour, day, week or month.",
                standard: .described("none")),
            KeyDeclaration(
                "stored_responses", .choice(StoredResponses.allCases.map(\.rawValue)),
                "With several keys, which stored responses a key may read, continue, cancel and delete: those that it "
                    + "has made since the gateway started, or any whose id it knows. Keys with admin: true reach all.",
                standard: .value(StoredResponses.own.rawValue)),
            KeyDeclaration(
                "responses", .mapping(.responses),
                "Keeps responses of models whose upstream has no Responses API, so that previous_response_id, store "
                    + "and GET /v1/responses/{id} work for them.",
                standard: .described("none is kept")),
            KeyDeclaration(
                "compaction", .choice(CompactionPolicy.allCases.map(\.rawValue)),
                "What requests get that ask for a compaction of a model whose upstream cannot compact: an error, or a "
                    + "summary that the model writes.",
                standard: .value(CompactionPolicy.refuse.rawValue)),
            KeyDeclaration("cache", .mapping(.cache), "What all models with a cache share.", mayBeEmpty: true),
            KeyDeclaration(
                "streams", .mapping(.streams),
                "How streams of models with on_disconnect: detach are kept for clients that have left.",
                mayBeEmpty: true),
            KeyDeclaration(
                "fault_injection", .mapping(.faultInjection),
                "Faults on purpose, for tests of what uses the gateway.", mayBeEmpty: true),
            KeyDeclaration("limits", .mapping(.limits), "What the gateway accepts at most.", mayBeEmpty: true),
            KeyDeclaration(
                "record", .mapping(.record),
                "Writes exchanges with upstreams into files, or answers from them. Without it neither happens.",
                standard: .described("neither"), mayBeEmpty: true),
            KeyDeclaration(
                "log", .mapping(.log), "How requests are logged; a change takes effect at the next start.",
                mayBeEmpty: true),
            KeyDeclaration(
                "prices", .text,
                "A file with what models cost, from this file's folder on, in place of the built-in prices; none: no "
                    + "costs.",
                standard: .described("the built-in prices")),
            KeyDeclaration(
                "ledger", .pattern("^(none|memory|sqlite:/.+|postgres(ql)?://.+)$"),
                "Where it is kept what requests use: a file of SQLite, a database of PostgreSQL, which keeps managed "
                    + "keys too, memory, or none. HEADGATE_LEDGER in the environment replaces it.",
                standard: .described("usage.db in the data folder")),
            KeyDeclaration("ledger_keep", .lifetime, "For how long it is kept.", standard: .value("90d")),
            KeyDeclaration(
                "counters", .pattern("^(memory|rediss?://.+|redis[+]unix://.+)$"),
                "Where limits and budgets are counted: in memory, by each gateway itself, or in a Redis server that "
                    + "several gateways share.",
                standard: .value("memory")),
            KeyDeclaration(
                "response_fields", .flag, "Whether responses have the gateway's own fields, x-headgate-....",
                standard: .value("true")),
            KeyDeclaration(
                "metrics", .flag, "Whether requests are counted, and /metrics shows it to keys with admin: true.",
                standard: .value("false")),
            KeyDeclaration(
                "tracing", .mapping(.tracing),
                "Sends spans of requests and of their attempts to an OpenTelemetry collector.",
                standard: .described("only where the environment names a collector"), mayBeEmpty: true),
            KeyDeclaration(
                "alerts", .mapping(.alerts),
                "Reports budgets at 80 % and at 100 %, and circuit breakers that open or close.",
                standard: .described("none")),
            KeyDeclaration(
                "inspect", .mapping(.inspect),
                "Stores the content of the latest requests in memory, for keys with admin: true on /status.",
                standard: .described("nothing is stored"), mayBeEmpty: true),
        ])

    static let responses = MappingDeclaration(
        name: "responses",
        keys: [
            KeyDeclaration(
                "store", .lifetime, "How long a response is kept after it was made or last continued.", isRequired: true
            ),
            KeyDeclaration(
                "file", .path, "The file, which is made where it does not exist; its folder must be there.",
                standard: .described("responses.db in the data folder")),
            KeyDeclaration(
                "max_size", .size, "Bytes of all of them; those that would end first make room.",
                standard: .value("256MiB")),
        ])

    static let limits = MappingDeclaration(
        name: "limits",
        keys: [
            KeyDeclaration("body", .size, "Bytes of a request body.", standard: .value("32MiB")),
            KeyDeclaration(
                "body_memory", .size,
                "Bytes of all request bodies that are held, and of all whole responses that wait for their clients; "
                    + "beyond it the answer is 503.",
                standard: .value("512MiB")),
            KeyDeclaration(
                "event", .size, "Bytes of one event of a stream: a generated image is one line of base64.",
                standard: .value("16MiB")),
            KeyDeclaration(
                "connections", .wholeNumber(1...1_000_000), "Open client connections.",
                standard: .described("from the limit on open files")),
            KeyDeclaration(
                "connections_per_address", .wholeNumber(1...1_000_000),
                "Open connections of one client address that is not this machine's.", standard: .value("256")),
            KeyDeclaration(
                "drain", .duration, "How long a shutdown waits for streams.", standard: .value("30s")),
        ])

    static let key = MappingDeclaration(
        name: "key",
        keys: [
            KeyDeclaration("name", .text, "For the log; unique.", isRequired: true),
            KeyDeclaration(
                "sha256", .pattern("^[0-9a-fA-F]{64}$"), "The SHA-256 of the key, in hexadecimal digits.",
                isRequired: true),
            KeyDeclaration(
                "models", .list(.text, minimum: 1), "The public names and patterns that it may use.",
                standard: .described("[*]")),
            KeyDeclaration(
                "expires", .pattern("^[0-9]{4}-[0-9]{2}-[0-9]{2}"),
                "From when it is refused: a date (the start of that day in UTC) or a date-time of RFC 3339.",
                standard: .described("never")),
            KeyDeclaration(
                "admin", .flag, "Whether it also opens metrics and status.", standard: .value("false")),
            KeyDeclaration(
                "limits", .mapping(.usageLimits), "What it may use.", standard: .described("as much as it likes")),
            KeyDeclaration(
                "budget", .mapping(.budget), "What it may use in each hour, day, week or month.",
                standard: .described("none")),
            KeyDeclaration(
                "group", .text, "A name under groups: what all its keys share.", standard: .described("none")),
            KeyDeclaration(
                "allow_tiers", .list(.choice(ServiceTier.configurable.map(\.rawValue)), minimum: 1),
                "Service tiers that its requests may select; others are refused.", standard: .described("all")),
            KeyDeclaration(
                "unpriced", .choice(UnpricedRequests.allCases.map(\.rawValue)),
                "Whether requests whose price is unknown pass a budget in USD.",
                standard: .value(UnpricedRequests.allow.rawValue)),
            KeyDeclaration(
                "priority", .choice(RequestPriority.allCases.map(\.rawValue)),
                "Whether its requests wait for an upstream behind those of interactive keys.",
                standard: .value("interactive")),
            KeyDeclaration(
                "passthrough", .list(.text, minimum: 1),
                "Upstreams with passthrough: true whose whole API it reaches, and so all data of that account. Not for "
                    + "keys with a budget.",
                standard: .described("none, unless it is an admin key")),
        ])

    private static let addressOrListener = Form.anyOf([.pattern(listenAddress), port, .mapping(.listener)])
    /// Port on 127.0.0.1.
    private static let port = Form.wholeNumber(0...65_535)
    private static let listenAddress = "^(unix:/.+|(.*:)?[0-9]+)$"

    static let listener = MappingDeclaration(
        name: "listener",
        keys: [
            KeyDeclaration(
                "address", .anyOf([.pattern(listenAddress), .wholeNumber(0...65_535)]),
                "An IP address or localhost with a port, or unix: and a path.",
                isRequired: true),
            KeyDeclaration(
                "api", .choice(ListenerConfiguration.API.allCases.map(\.rawValue)),
                "Which routes are served there: all, those of Ollama for apps that look for it, or /metrics and "
                    + "health.",
                standard: .value("all")),
            KeyDeclaration("tls", .mapping(.tls), "Serves HTTPS; not on a Unix socket."),
            KeyDeclaration(
                "auth", .choice(ListenerConfiguration.Authentication.allCases.map(\.rawValue)),
                "Who may come in: with a key, as the own user of a Unix socket, or anybody on this machine.",
                standard: .described("peer on a Unix socket, key elsewhere")),
            KeyDeclaration(
                "mode", .anyOf([.wholeNumber(0...777), .pattern("^0?[0-7]{3}$")]),
                "The mode of a Unix socket's file, in octal digits.", standard: .value("0600")),
            KeyDeclaration(
                "uids", .list(.wholeNumber(0...Int(UInt32.max) - 1)),
                "Users besides the gateway's own that auth: peer lets in."),
        ])

    static let tls = MappingDeclaration(
        name: "tls",
        keys: [
            KeyDeclaration("cert", .path, "A PEM file with the certificate and its chain.", isRequired: true),
            KeyDeclaration("key", .path, "A PEM file with the private key.", isRequired: true),
        ])
}

/// Declarations of price files, which are separate from the configuration file.
extension MappingDeclaration {
    static let prices = MappingDeclaration(
        name: "prices",
        keys: [KeyDeclaration("models", .named(.mapping(.price)), "Names and patterns of models, and what each costs.")]
    )

    static let price = MappingDeclaration(
        name: "price",
        keys: rates + [
            KeyDeclaration("max_prompt", .wholeNumber(1...1_000_000_000), "The longest prompt with these prices."),
            KeyDeclaration("long", .mapping(.longPrice), "Prices of longer prompts."),
            KeyDeclaration(
                "tiers", .named(.mapping(.tierPrice)),
                "Prices of the service tiers flex, priority, batch, ultrafast and fast."),
        ])

    static let longPrice = MappingDeclaration(name: "long_price", keys: rates)

    static let tierPrice = MappingDeclaration(
        name: "tier_price",
        keys: rates + [KeyDeclaration("long", .mapping(.longPrice), "Prices of prompts above the model's max_prompt.")])

    private static let rates = [
        KeyDeclaration("input", .text, "USD per million tokens of a prompt.", isRequired: true),
        KeyDeclaration("output", .text, "USD per million tokens of an answer.", isRequired: true),
        KeyDeclaration("cached_input", .text, "Of a prompt's tokens that are read from the upstream's cache."),
        KeyDeclaration("cache_write", .text, "Of those that are written to it."),
        KeyDeclaration("cache_write_1h", .text, "Of those that are written to it for an hour or longer."),
        KeyDeclaration("audio_input", .text, "Of a prompt's tokens that are audio."),
        KeyDeclaration("audio_output", .text, "Of an answer's tokens that are audio."),
        KeyDeclaration("image_input", .text, "Of a prompt's tokens that are images."),
        KeyDeclaration("image_output", .text, "Of an answer's tokens that are images."),
    ]
}

extension MappingDeclaration {
    static let alerts = MappingDeclaration(
        name: "alerts",
        keys: [
            KeyDeclaration(
                "command", .list(.text, minimum: 1),
                "A program and its arguments, run without a shell, that reads each alert as JSON from its standard "
                    + "input.",
                standard: .described("none")),
            KeyDeclaration(
                "url", .secret, "Where each alert is posted as JSON, such as a webhook of a chat.",
                standard: .described("none")),
            KeyDeclaration("timeout", .duration, "How long one delivery may take.", standard: .value("10s")),
        ])
}
