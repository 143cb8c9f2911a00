import HeadgateConfiguration
import Testing

/// Valid configurations that deserve a second look.
@Suite struct WarningTests {
    private func warnings(
        _ text: String, environment: [String: String] = [:], now: Int64? = nil
    ) throws -> [String] {
        try Configuration.check(
            text: text, file: "t.yaml", environment: environment, surroundings: Surroundings(now: now) { _, _ in nil }
        ).warnings.map(\.description)
    }

    @Test func unusedUpstreamIsNamed() throws {
        let text = """
            upstreams:
              a: {kind: on-device}
              b: {kind: openai, base_url: "https://h/v1"}
              c: {kind: on-device}
            models:
              m: {upstream: c}
            """
        let advice = "no model leads to it: name it under models, or remove it"
        #expect(
            try warnings(text) == [
                "t.yaml:2:3: warning: upstream \"a\": \(advice)", "t.yaml:3:3: warning: upstream \"b\": \(advice)",
            ])
        #expect(try warnings(text + "\n  \"*\": {upstream: a}\n  n: {upstream: b}").isEmpty)
        #expect(try warnings("upstreams: {a: {kind: on-device}}").isEmpty)
    }

    @Test func upstreamOfTheEnvironmentIsNamedWithoutAPlace() throws {
        let environment = [
            "OPENAI_API_KEY": "k", "AZURE_OPENAI_API_KEY": "k", "AZURE_OPENAI_ENDPOINT": "https://n.openai.azure.com",
        ]
        #expect(
            try warnings("", environment: environment) == [
                "environment: warning: upstream \"azure\": no model leads to it: name some in a configuration file"
            ])
    }

    @Test func uselessDiscoveryIsNamed() throws {
        let text = """
            upstreams:
              a: {kind: openai, base_url: "https://h/v1", discover: true}
              b:
                kind: openai
                base_url: "http://127.0.0.1:1/v1"
                discover: true
                command: [run]
              c: {kind: openai, base_url: "https://h/v1", discover: true}
              d: {kind: openai, base_url: "https://h/v1", discover: false}
            models: {m: {upstream: a}, "o*": {upstream: a, model: x}, "b*": {upstream: b}, "*": {upstream: c}, d: {upstream: d}}
            """
        #expect(
            try warnings(text) == [
                "t.yaml:2:47: warning: upstream \"a\": discover: none of its models is listed, since no pattern leads to it: "
                    + "add one such as \"*\" under models",
                "t.yaml:6:5: warning: upstream \"b\": discover: a program that the gateway runs is not asked: remove it",
            ])
        // An upstream that nothing routes to is one warning.
        #expect(
            try warnings(
                "upstreams: {a: {kind: openai, base_url: \"https://h/v1\", discover: true}, b: {kind: on-device}}\nmodels: {m: {upstream: b}}"
            ).count == 1)
    }

    @Test func expiredKeyIsNamed() throws {
        let digest = String(repeating: "a", count: 64)
        let text = "keys:\n- {name: old, sha256: \(digest), expires: 2027-01-01}"
        // 2027-01-01T00:00:00Z
        let begin: Int64 = 1_798_761_600
        let warning =
            "t.yaml:2:98: warning: expires: the key \"old\" has expired and is refused: set a later date, or remove the key"
        #expect(try warnings(text, now: begin) == [warning])
        #expect(try warnings(text, now: begin - 1).isEmpty)
        // Without a clock, the expiry cannot be determined.
        #expect(try warnings(text).isEmpty)
    }

    @Test func invalidPartsGetNoWarnings() {
        #expect(
            issues("upstreams: {a: {kind: on-device}, b: {kind: on-device}}\nmodels: {m: {upstream: x}}").count == 1)
    }
}
