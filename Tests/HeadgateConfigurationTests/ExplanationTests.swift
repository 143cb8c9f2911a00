import Foundation
import HeadgateConfiguration
import HeadgateTesting
import Testing

@Suite struct ExplanationTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func lines(_ text: String, _ environment: [String: String] = [:]) throws -> [String] {
        let path = try folder.file("h.yaml", text)
        return try Configuration.explain(path: path, environment: environment).map { setting in
            let origin = setting.origin.replacingOccurrences(of: folder.path + "/", with: "")
            return "\(setting.path) = \(setting.value) (\(origin))"
        }
    }

    @Test func everyValueHasItsOrigin() throws {
        let key = try folder.file("key", "sk-1\n")
        let text = """
            upstreams:
              a:
                kind: openai
                base_url: ${URL:-https://h}
                api_key: {file: \(key)}
                headers: {X-Key: secret, User-Agent: }
                proxy: http://u:secret@p:1
                command: [a, "${S}"]
                parameters: {defaults: {n: 1}, strip: [x, y]}
            models:
              m.1:
                upstream: a
                timeouts: {silence: 9s}
                parameters: {strip: [n, x]}
            limits: {drain: "${DRAIN}"}
            """
        let environment = ["DRAIN": "9s", "S": "secret", "URL": "http://127.0.0.1:8080"]
        #expect(
            try lines(text, environment) == [
                "listen[0].address = 127.0.0.1:8686 (default)", "listen[0].api = all (default)",
                "listen[0].auth = key (default)",
                "allowed_hosts = none (default)", "allowed_origins = none but its own (default)",
                "loops = one for each core (default)", "upstreams.a.kind = openai (h.yaml:3)",
                "upstreams.a.base_url = http://127.0.0.1:8080 (environment URL (h.yaml:4))",
                "upstreams.a.api_key = <redacted> (file key (h.yaml:5))",
                "upstreams.a.headers.X-Key = <redacted> (h.yaml:6)",
                "upstreams.a.headers.User-Agent = removed (h.yaml:6)",
                "upstreams.a.timeouts.connect = 5s (default)", "upstreams.a.timeouts.first_byte = 120s (default)",
                "upstreams.a.timeouts.silence = 120s (default)",
                "upstreams.a.timeouts.first_content = no limit (default)",
                "upstreams.a.parameters.defaults.n = 1 (h.yaml:9)",
                "upstreams.a.parameters.strip = [x, y] (h.yaml:9)", "upstreams.a.allow_private = false (default)",
                "upstreams.a.relay_rate_limits = only while there is at most one caller (default)",
                "upstreams.a.speaks = [chat, responses] (default)",
                "upstreams.a.system_messages = joined in translated requests, unless it is OpenAI or Azure (default)",
                "upstreams.a.discover = "
                    + "where a pattern leads to it, but for Azure and programs that the gateway runs (default)",
                "upstreams.a.repair = true (default)", "upstreams.a.usage_in_streams = auto (default)",
                "upstreams.a.passthrough = false (default)",
                "upstreams.a.plain_http = false (default)",
                "upstreams.a.proxy = http://<redacted>@p:1 (h.yaml:7)",
                "upstreams.a.max_in_flight = no limit (default)", "upstreams.a.local = true (default)",
                "upstreams.a.health = no checks (default)",
                "upstreams.a.command.run = [a, ${S}] (h.yaml:8)", "upstreams.a.command.health = /health (default)",
                "upstreams.a.command.preload = false (default)", "upstreams.a.command.start_timeout = 5m (default)",
                "upstreams.a.command.ttl = never (default)", "upstreams.a.command.program_group = none (default)",
                "program_groups = one program of a group at once (default)", "models.\"m.1\".upstream = a (h.yaml:12)",
                "models.\"m.1\".model = the name that the client writes (default)",
                "models.\"m.1\".retry.attempts = 2 with several targets or api_keys, 1 with one (default)",
                "models.\"m.1\".on_disconnect = cancel (default)",
                "models.\"m.1\".cache = nothing is kept (default)",
                "models.\"m.1\".limits = as much as they like (default)",
                "models.\"m.1\".max_output_tokens = unknown; 4,096 are reserved if a request states no limit (default)",
                "models.\"m.1\".timeouts.total = no limit (default)",
                "models.\"m.1\".timeouts.connect = 5s (default)",
                "models.\"m.1\".timeouts.first_byte = 120s (default)",
                "models.\"m.1\".timeouts.silence = 9s (h.yaml:13)",
                "models.\"m.1\".timeouts.first_content = no limit (default)",
                "models.\"m.1\".parameters.strip = [y, n, x] (h.yaml:14)",
                "models.\"m.1\".allow_tiers = all (default)",
                "groups = none (default)", "keys = none (default)", "budget = none (default)",
                "stored_responses = own (default)", "responses = none is kept (default)",
                "compaction = refuse (default)",
                "limits.body = 32MiB (default)",
                "limits.body_memory = 512MiB (default)", "limits.event = 16MiB (default)",
                "limits.connections = from the limit on open files (default)",
                "limits.connections_per_address = 256 (default)", "limits.drain = 9s (environment DRAIN (h.yaml:15))",
                "counters = memory (default)", "cache.memory = 64MiB (default)", "cache.folder = none (default)",
                "cache.disk = 1GiB (default)", "cache.redis = none (default)",
                "streams.ttl = 10m (default)", "streams.buffer = 4MiB (default)", "streams.memory = 64MiB (default)",
                "fault_injection.enabled = false (default)", "fault_injection.rules = none (default)",
                "log.format = auto (default)", "log.level = info (default)", "log.file = standard error (default)",
                "log.upstream_errors = false (default)",
                "log.rotate = never (default)", "prices = the built-in prices (default)",
                "ledger = usage.db in the data folder (default)", "ledger_keep = 90d (default)",
                "response_fields = true (default)", "metrics = false (default)",
            ])
    }

    @Test func everyTargetShowsTheOriginsOfItsValues() throws {
        let text = """
            upstreams:
              a: {kind: openai, base_url: https://a, timeouts: {connect: 1s}, breaker: {failures: 3}, max_in_flight: 2}
              b: {kind: on-device, parameters: {defaults: {n: 1}, strip: [x]}}
            models:
              m:
                targets:
                  - {upstream: a, model: n, weight: 2, breaker: {cooldown: 1m}}
                  - {upstream: b}
                choose: weighted
                timeouts: {silence: 9s}
                parameters: {overrides: {k: 1}, strip: [y]}
                retry: {backoff: 10s}
            """
        let shown = try lines(text)
        #expect(shown.contains("upstreams.a.queue_timeout = 10s (default)"))
        let defaults = "[connect, timeout, 408, 409, 425, 429, 5xx, stream] (default)"
        #expect(
            shown.filter { $0.hasPrefix("models") } == [
                "models.m.targets[0].upstream = a (h.yaml:7)", "models.m.targets[0].model = n (h.yaml:7)",
                "models.m.targets[0].weight = 2 (h.yaml:7)", "models.m.targets[0].breaker.failures = 3 (h.yaml:2)",
                "models.m.targets[0].breaker.cooldown = 1m (h.yaml:7)",
                "models.m.targets[1].upstream = b (h.yaml:8)",
                "models.m.targets[1].model = the name that the client writes (default)",
                "models.m.targets[1].weight = 1 (default)", "models.m.choose = weighted (h.yaml:9)",
                "models.m.affinity = none (default)",
                "models.m.retry.attempts = 2 with several targets or api_keys, 1 with one (default)",
                "models.m.retry.backoff = 10s (h.yaml:12)", "models.m.retry.max_backoff = 10s (h.yaml:12)",
                "models.m.retry.budget = 10% (default)", "models.m.retry.on = \(defaults)",
                "models.m.on_disconnect = cancel (default)",
                "models.m.cache = nothing is kept (default)", "models.m.hedge = never (default)",
                "models.m.limits = as much as they like (default)",
                "models.m.max_output_tokens = unknown; 4,096 are reserved if a request states no limit (default)",
                "models.m.timeouts.total = no limit (default)",
                "models.m.timeouts.silence = 9s (h.yaml:10)",
                "models.m.targets[0].timeouts.connect = 1s (h.yaml:2)",
                "models.m.targets[0].timeouts.first_byte = 120s (default)",
                "models.m.targets[0].timeouts.silence = 9s (h.yaml:10)",
                "models.m.targets[0].timeouts.first_content = no limit (default)",
                "models.m.targets[1].timeouts.connect = 5s (default)",
                "models.m.targets[1].timeouts.first_byte = 120s (default)",
                "models.m.targets[1].timeouts.silence = 9s (h.yaml:10)",
                "models.m.targets[1].timeouts.first_content = no limit (default)",
                "models.m.parameters.overrides.k = 1 (h.yaml:11)", "models.m.parameters.strip = [y] (h.yaml:11)",
                "models.m.targets[0].parameters.overrides.k = 1 (h.yaml:11)",
                "models.m.targets[0].parameters.strip = [y] (h.yaml:11)",
                "models.m.targets[1].parameters.defaults.n = 1 (h.yaml:3)",
                "models.m.targets[1].parameters.overrides.k = 1 (h.yaml:11)",
                "models.m.targets[1].parameters.strip = [x, y] (h.yaml:11)",
                "models.m.allow_tiers = all (default)",
            ])
    }

    @Test func theDefaultOfAVariableIsTheFiles() throws {
        #expect(try lines("loops: ${N:-3}").contains("loops = 3 (h.yaml:1)"))
    }

    @Test func withoutAFileTheEnvironmentIsExplained() throws {
        let settings = try Configuration.explain(
            path: nil,
            environment: [
                "OPENAI_API_KEY": "sk-1", "OLLAMA_HOST": "gpu.lan", "HEADGATE_LISTEN": "unix:/run/x",
            ])
        let lines = settings.map { "\($0.path) = \($0.value) (\($0.origin))" }
        for line in [
            "listen[0].address = unix:/run/x (environment HEADGATE_LISTEN)", "listen[0].auth = peer (default)",
            "listen[0].mode = 0600 (default)", "upstreams.openai.base_url = https://api.openai.com/v1 (default)",
            "upstreams.openai.api_key = <redacted> (environment OPENAI_API_KEY)",
            "upstreams.ollama.base_url = http://gpu.lan:11434/v1 (environment OLLAMA_HOST)",
            "upstreams.ollama.allow_private = true (environment OLLAMA_HOST)",
            "upstreams.ollama.models = "
                + "none, since another upstream serves *; name some in a configuration file (default)",
            "models.\"*\".upstream = openai (default)",
        ] {
            #expect(lines.contains(line), "\(line)")
        }
        #expect(!lines.joined().contains("sk-1"))
    }

    @Test func aVariableReplacesTheFilesList() throws {
        let listening = try lines("listen: ['127.0.0.1:1', '127.0.0.1:2']", ["HEADGATE_LISTEN": "127.0.0.1:3"])
        #expect(
            listening.filter { $0.hasPrefix("listen") } == [
                "listen[0].address = 127.0.0.1:3 (environment HEADGATE_LISTEN)", "listen[0].api = all (default)",
                "listen[0].auth = key (default)",
            ])
    }

    @Test func nothingIsExplainedTwiceAndNoSecretIsShown() throws {
        let example = try Example()
        let settings = try Configuration.explain(path: Example.path, environment: example.environment)
        #expect(Set(settings.map(\.path)).count == settings.count)
        for secret in ["sk-openai", "sk-anthropic", "azure-key", "my-app"] {
            #expect(!settings.contains { $0.value.contains(secret) }, "\(secret)")
        }
    }

    @Test func issuesEqualThoseOfLoading() throws {
        let path = try folder.file("bad.yaml", "lops: 1")
        let error = #expect(throws: ConfigurationError.self) { try Configuration.explain(path: path, environment: [:]) }
        #expect(error?.description.contains("did you mean \"loops\"?") == true)
    }
}
