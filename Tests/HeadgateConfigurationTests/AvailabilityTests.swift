import HeadgateConfiguration
import Testing

/// Settings that decide when an upstream can take a request.
@Suite struct AvailabilityTests {
    private func upstream(_ fields: String, at url: String = "https://h") throws -> UpstreamConfiguration {
        try parse("upstreams: {u: {kind: openai, base_url: '\(url)', \(fields)}}").upstreams[0]
    }

    private func check(_ fields: String, _ issue: String) {
        let found = issues("upstreams:\n  u: {kind: openai, base_url: 'https://h', \(fields)}")
        #expect(found == ["t.yaml:2:\(issue)"])
    }

    private func warnings(_ fields: String) throws -> [String] {
        let text = "upstreams:\n  u: {kind: openai, base_url: 'http://127.0.0.1:1', \(fields)}"
        return try HeadgateConfigurationTests.warnings(text)
    }

    @Test func everyKeyArrives() throws {
        let upstream = try upstream(
            "max_in_flight: 200, queue_timeout: 1s, local: true, health: {path: /v1/models?x=1, every: 1s}, "
                + "breaker: {failures: 7, cooldown: 1s}")
        #expect(upstream.maximumInFlight == 200 && upstream.queueTimeout == .seconds(1) && upstream.isLocal)
        #expect(upstream.healthCheck == HealthCheckConfiguration(path: "/v1/models?x=1", every: .seconds(1)))
        #expect(upstream.breaker == BreakerConfiguration(failures: 7, cooldown: .seconds(1)))
    }

    @Test func omittedValuesHaveDefaults() throws {
        let upstream = try upstream("")
        #expect(upstream.maximumInFlight == nil && upstream.queueTimeout == .seconds(10))
        #expect(upstream.healthCheck == nil && upstream.breaker == nil)
        let empty = try self.upstream("health: {}, breaker: {}")
        #expect(empty.healthCheck == HealthCheckConfiguration(path: "/models", every: .seconds(30)))
        #expect(empty.breaker == BreakerConfiguration(failures: 5, cooldown: .seconds(30)))
    }

    @Test func refusalsAreRepairedByDefault() throws {
        let upstream = try upstream("")
        #expect(upstream.repairs && upstream.usageInStreams == .auto)
        #expect(try !self.upstream("repair: false").repairs)
        for usage in UsageInStreams.allCases {
            #expect(try self.upstream("usage_in_streams: \(usage.rawValue)").usageInStreams == usage)
        }
    }

    @Test(arguments: [
        ("https://h", false), ("https://127.0.0.1.h", false), ("http://127.0.0.1:1", true), ("http://[::1]:1", true),
        ("https://localhost", true), ("unix:/run/x", true),
    ])
    func upstreamOnThisMachineIsLocal(_ url: String, _ isLocal: Bool) throws {
        #expect(try upstream("", at: url).isLocal == isLocal)
        #expect(try upstream("local: true", at: url).isLocal)
        #expect(try !upstream("local: false", at: url).isLocal)
    }

    @Test func builtInModelIsLocalAndAcceptsOnlySupportedKeys() throws {
        let device = try parse("upstreams: {u: {kind: on-device, max_in_flight: 2, breaker: {}}}").upstreams[0]
        #expect(device.isLocal && device.maximumInFlight == 2 && device.breaker == BreakerConfiguration())
        for field in ["local: true", "health: {}"] {
            #expect(issues("upstreams: {u: {kind: on-device, \(field)}}").count == 1, "\(field)")
        }
        #expect(try Configuration.fromEnvironment(["OLLAMA_HOST": ":1"]).upstreams[0].isLocal)
        #expect(try !Configuration.fromEnvironment(["OPENAI_API_KEY": "k"]).upstreams[0].isLocal)
    }

    @Test(arguments: [
        ("max_in_flight: 0", "59: error: max_in_flight: found \"0\", expected a whole number from 1 to 1000000"),
        (
            "max_in_flight: 1, queue_timeout: 0s",
            "77: error: queue_timeout: found \"0s\", expected a duration such as 250ms, 5s, 2m or 1h (above zero, at most 24h)"
        ),
        ("repair: 1", "52: error: repair: found \"1\", expected true or false"),
        (
            "usage_in_streams: sometimes",
            "62: error: usage_in_streams: found \"sometimes\", expected auto, ask or never"
        ),
        ("local: here", "51: error: local: found \"here\", expected true or false"),
        ("health: true", "52: error: health: found text, expected a mapping of the keys path, every"),
        ("health: {path: models}", "59: error: path: found \"models\", expected a path such as /models"),
        ("health: {path: '/a b'}", "59: error: path: found \"/a b\", expected a path such as /models"),
        (
            "health: {every: 999ms}",
            "60: error: every: found \"999ms\", expected a duration such as 5s, 2m or 1h (at least 1s, at most 24h)"
        ),
        (
            "health: {every: 25h}",
            "60: error: every: found \"25h\", expected a duration such as 5s, 2m or 1h (at least 1s, at most 24h)"
        ),
        ("breaker: {failures: 1001}", "64: error: failures: found \"1001\", expected a whole number from 1 to 1000"),
        (
            "breaker: {cooldown: 999ms}",
            "64: error: cooldown: found \"999ms\", expected a duration such as 5s, 2m or 1h (at least 1s, at most 24h)"
        ),
        ("breaker: 5", "53: error: breaker: found text, expected a mapping of the keys failures, cooldown"),
    ])
    func availabilityMistakes(_ fields: String, _ issue: String) {
        check(fields, issue)
    }

    @Test func settingsWithoutEffectAreWarnedAbout() throws {
        #expect(
            try warnings("queue_timeout: 1s") == [
                "t.yaml:2:53: warning: queue_timeout: without max_in_flight no request waits: add max_in_flight, or remove it"
            ])
        #expect(try warnings("queue_timeout: 1s, max_in_flight: 1").isEmpty)
        #expect(
            try warnings("health: {}, command: [run]") == [
                "t.yaml:2:53: warning: health: a program that the gateway runs is not checked: remove it"
            ])
    }

    @Test func programThatTheGatewayRunsIsNotChecked() throws {
        #expect(try upstream("health: {}, command: [run]", at: "http://127.0.0.1:1").healthCheck == nil)
    }
}
