import HeadgateConfiguration
import Testing

@Suite struct TracingTests {
    private static let upstream = "upstreams: {a: {kind: openai, base_url: \"http://127.0.0.1:9/v1\"}}\n"

    private func tracing(_ text: String? = nil, _ environment: [String: String] = [:]) throws -> TracingConfiguration? {
        let section = text.map { "tracing: \($0)\n" } ?? ""
        return try parse(TracingTests.upstream + section, environment: environment).tracing
    }

    private func told(_ text: String? = nil, _ environment: [String: String]) throws -> [String] {
        let section = text.map { "tracing: \($0)\n" } ?? ""
        return try warnings(
            TracingTests.upstream + "models: {\"*\": {upstream: a}}\n" + section, environment: environment)
    }

    @Test func withoutItNothingIsTraced() throws {
        #expect(try tracing() == nil && tracing("") == nil)
        #expect(try tracing(nil, ["OTEL_SERVICE_NAME": "x", "OTEL_TRACES_SAMPLER": "always_on"]) == nil)
    }

    @Test func everyKeyIsRead() throws {
        let tracing = try #require(
            try tracing(
                """
                {otlp: "https://c.example/in", sample: 0.25, content: true, service: gate, timeout: 2s,
                  compression: none, headers: {Authorization: "Bearer abc", x-team: "${TEAM}"}}
                """, ["TEAM": "blue"]))
        #expect(tracing.endpoint.description == "https://c.example/in/v1/traces")
        #expect(tracing.sampling == TraceSampling(ratio: 0.25) && tracing.hasContent && tracing.service == "gate")
        #expect(tracing.timeout == .seconds(2) && tracing.compression == .none)
        #expect(tracing.headers.map(\.value) == ["Bearer abc", "blue"])
        #expect("\(tracing)".contains("Bearer abc") == false)
    }

    @Test func defaultsAreThoseOfOpenTelemetry() throws {
        let tracing = try #require(try tracing("{}"))
        #expect(tracing.endpoint.description == "http://127.0.0.1:4318/v1/traces")
        #expect(tracing.sampling == TraceSampling() && !tracing.hasContent && tracing.service == "headgate")
        #expect(tracing.timeout == .seconds(10) && tracing.compression == .gzip && tracing.headers.isEmpty)
        #expect(tracing.batching == SpanBatching())
    }

    @Test(arguments: [
        (["OTEL_EXPORTER_OTLP_ENDPOINT": "http://c:4318"], "http://c:4318/v1/traces"),
        (["OTEL_EXPORTER_OTLP_ENDPOINT": "https://c/base/"], "https://c/base/v1/traces"),
        (["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://c:9/my/path"], "http://c:9/my/path"),
        (
            ["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://t:9", "OTEL_EXPORTER_OTLP_ENDPOINT": "http://c:4318"],
            "http://t:9"
        ),
        (["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "", "OTEL_EXPORTER_OTLP_ENDPOINT": "http://c"], "http://c/v1/traces"),
    ]) func variableWithACollectorTurnsTracingOn(_ environment: [String: String], _ endpoint: String) throws {
        #expect(try tracing(nil, environment)?.endpoint.description == endpoint)
    }

    @Test func fileHasPrecedenceOverVariables() throws {
        let environment = [
            "OTEL_EXPORTER_OTLP_ENDPOINT": "http://c:4318", "OTEL_SERVICE_NAME": "theirs",
            "OTEL_EXPORTER_OTLP_TIMEOUT": "1500", "OTEL_EXPORTER_OTLP_COMPRESSION": "none",
            "OTEL_EXPORTER_OTLP_HEADERS": "a=1", "OTEL_TRACES_SAMPLER": "always_off",
        ]
        let theirs = try #require(try tracing(nil, environment))
        #expect(theirs.service == "theirs" && theirs.timeout == .milliseconds(1500) && theirs.compression == .none)
        #expect(theirs.sampling == TraceSampling(ratio: 0, followsCallers: false))
        #expect(theirs.headers.map(\.name) == ["a"])
        let text = """
            {otlp: "http://127.0.0.1:1", service: ours, timeout: 3s, compression: gzip, headers: {b: "2"}, sample: 1}
            """
        let ours = try #require(try tracing(text, environment))
        #expect(ours.service == "ours" && ours.timeout == .seconds(3) && ours.compression == .gzip)
        #expect(ours.sampling == TraceSampling() && ours.headers.map(\.name) == ["b"])
        #expect(ours.endpoint.description == "http://127.0.0.1:1/v1/traces")
    }

    @Test func traceVariablesPrecedeThoseOfAllSignals() throws {
        let tracing = try #require(
            try tracing(
                "{}",
                [
                    "OTEL_EXPORTER_OTLP_HEADERS": "a=1", "OTEL_EXPORTER_OTLP_TRACES_HEADERS": "b=x%20y, c=%3D",
                    "OTEL_EXPORTER_OTLP_TIMEOUT": "1", "OTEL_EXPORTER_OTLP_TRACES_TIMEOUT": "2",
                    "OTEL_EXPORTER_OTLP_TRACES_COMPRESSION": "none",
                ]))
        #expect(tracing.headers.map(\.name) == ["b", "c"] && tracing.headers.map(\.value) == ["x y", "="])
        #expect(tracing.timeout == .milliseconds(2) && tracing.compression == .none)
    }

    @Test(arguments: [
        ("always_on", TraceSampling(ratio: 1, followsCallers: false)),
        ("always_off", TraceSampling(ratio: 0, followsCallers: false)),
        ("traceidratio", TraceSampling(ratio: 0.5, followsCallers: false)),
        ("parentbased_always_on", TraceSampling(ratio: 1)), ("parentbased_always_off", TraceSampling(ratio: 0)),
        ("parentbased_traceidratio", TraceSampling(ratio: 0.5)),
    ]) func samplersAreThoseOfTheSpecification(_ name: String, _ sampling: TraceSampling) throws {
        let environment = ["OTEL_TRACES_SAMPLER": name, "OTEL_TRACES_SAMPLER_ARG": "0.5"]
        #expect(try tracing("{}", environment)?.sampling == sampling)
    }

    @Test func batchesAndResourceAreSetByVariables() throws {
        let tracing = try #require(
            try tracing(
                "{}",
                [
                    "OTEL_BSP_SCHEDULE_DELAY": "100", "OTEL_BSP_MAX_QUEUE_SIZE": "50",
                    "OTEL_BSP_MAX_EXPORT_BATCH_SIZE": "70", "OTEL_BSP_EXPORT_TIMEOUT": "4000",
                    "OTEL_RESOURCE_ATTRIBUTES": "deployment.environment=prod,service.name=no,host.name=a%2Cb",
                ]))
        #expect(tracing.batching.delay == .milliseconds(100) && tracing.batching.queue == 50)
        // No batch is larger than the queue.
        #expect(tracing.batching.batch == 50 && tracing.batching.patience == .seconds(4))
        #expect(
            tracing.resource == [
                ResourceAttribute(name: "deployment.environment", value: "prod"),
                ResourceAttribute(name: "host.name", value: "a,b"),
            ])
    }

    @Test(arguments: [["OTEL_SDK_DISABLED": "true"], ["OTEL_TRACES_EXPORTER": "none"]])
    func variablesThatTurnTracesOffTurnOffTheFilesToo(_ environment: [String: String]) throws {
        #expect(try tracing("{}", environment) == nil)
        #expect(
            try told("{}", environment).map { $0.contains("turns off what 'tracing' asks for") } == [true])
        #expect(try told(nil, environment.merging(["OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:1"]) { $1 }) == [])
    }

    @Test(arguments: [
        (["OTEL_EXPORTER_OTLP_TIMEOUT": "soon"], "OTEL_EXPORTER_OTLP_TIMEOUT has no effect: expected a whole number"),
        (["OTEL_TRACES_SAMPLER": "jaeger_remote"], "OTEL_TRACES_SAMPLER has no effect: expected always_on"),
        (["OTEL_BSP_MAX_QUEUE_SIZE": "0"], "OTEL_BSP_MAX_QUEUE_SIZE has no effect"),
        (["OTEL_EXPORTER_OTLP_HEADERS": "secret"], "OTEL_EXPORTER_OTLP_HEADERS has no effect: expected a list"),
        (["OTEL_EXPORTER_OTLP_PROTOCOL": "http/protobuf"], "OTEL_EXPORTER_OTLP_PROTOCOL has no effect: spans are sent"),
        (["OTEL_EXPORTER_OTLP_COMPRESSION": "zstd"], "OTEL_EXPORTER_OTLP_COMPRESSION has no effect: expected gzip"),
    ]) func invalidVariableIsReportedAndIgnored(_ environment: [String: String], _ part: String) throws {
        #expect(try tracing("{}", environment) == tracing("{}"))
        let told = try told("{}", environment)
        #expect(told.count == 1 && told[0].contains(part) && !told[0].contains("secret"), "\(told)")
    }

    @Test func otherProtocolIsRefusedWithItsCollector() throws {
        let environment = ["OTEL_EXPORTER_OTLP_ENDPOINT": "http://c:4317", "OTEL_EXPORTER_OTLP_PROTOCOL": "grpc"]
        let found = issues(TracingTests.upstream, environment: environment)
        #expect(found.count == 1 && found[0].contains("http/json alone"), "\(found)")
        // A collector from the file ignores the environment.
        #expect(try told("{otlp: \"http://127.0.0.1:4318\"}", environment).count == 1)
    }

    @Test func plainSecretsAreWarnedAbout() throws {
        let headers = #"{otlp: "http://c.example:4318", headers: {authorization: abc}}"#
        #expect(try told(headers, [:]).map { $0.contains("headers travel to c.example in the clear") } == [true])
        let prompts = #"{otlp: "http://c.example:4318", content: true}"#
        #expect(try told(prompts, [:]).map { $0.contains("prompts travel to c.example in the clear") } == [true])
        #expect(try told(#"{otlp: "https://c.example", content: true}"#, [:]) == [])
    }

    @Test func headersAreSecretsOfTheEnvironment() throws {
        let environment = ["OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:1", "OTEL_EXPORTER_OTLP_HEADERS": "k=v"]
        let secret = try Configuration.secretVariables(path: nil, environment: environment)
        #expect(secret == ["OTEL_EXPORTER_OTLP_HEADERS"])
    }

    @Test(arguments: [
        BadInput("{otlp: \"grpc://c:4317\"}", "2:17: error: otlp: found \"grpc://c:4317\", expected a URL such as"),
        BadInput("{sample: 2}", "2:19: error: sample: found \"2\", expected a number from 0 to 1, such as 0.25"),
        BadInput("{sample: -1}", "2:19: error: sample: found \"-1\", expected a number from 0 to 1, such as 0.25"),
        BadInput("{headers: {host: x}}", "2:21: error: header \"host\": "),
    ]) func impossibleValueIsReportedWithItsPlace(_ input: BadInput) {
        let found = issues("\(TracingTests.upstream)tracing: \(input.text)\n")
        #expect(found.count == 1 && found[0].hasPrefix("t.yaml:" + input.issue), "\(found)")
    }
}
