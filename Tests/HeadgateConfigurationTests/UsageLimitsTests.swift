import HeadgateConfiguration
import HeadgatePrices
import Testing

/// Usage limits of keys, groups and models.
@Suite struct UsageLimitsTests {
    private static let digest = String(repeating: "ab", count: 32)

    private func key(_ fields: String, _ rest: String = "") -> String {
        "keys: [{name: k, sha256: \(Self.digest), \(fields)}]\n\(rest)"
    }

    @Test func everyLimitArrives() throws {
        let limits =
            "{requests: [60/m, 1000/d], burst: 10, tokens: 200k/m, input_tokens: 5M/h, output_tokens: 7/s, in_flight: 8}"
        let expected = UsageLimits(
            requests: [RateLimit(60, per: .minute), RateLimit(1000, per: .day)], burst: 10,
            tokens: [RateLimit(200_000, per: .minute)], inputTokens: [RateLimit(5_000_000, per: .hour)],
            outputTokens: [RateLimit(7, per: .second)], inFlight: 8)
        #expect(try parse(key("limits: \(limits)")).keys[0].limits == expected)
        #expect(try parse("models: {m: {upstream: on-device, limits: \(limits)}}").models[0].limits == expected)
        let grouped = try parse(key("group: team", "groups: {team: {limits: \(limits)}}"))
        #expect(
            grouped.keys[0].group == "team" && grouped.groups == [GroupConfiguration(name: "team", limits: expected)])
        #expect(try parse(key("admin: true")).keys[0].limits == nil)
    }

    @Test func priorityOfAKeyIsReadOrReportedWithItsPlace() throws {
        #expect(try parse(key("priority: batch")).keys[0].priority == .batch)
        #expect(try parse(key("admin: true")).keys[0].priority == .interactive)
        #expect(
            issues(key("priority: bach")) == [
                "t.yaml:1:102: error: priority: found \"bach\", expected interactive or batch; did you mean \"batch\"?"
            ])
    }

    @Test func maximumOfAModelIsReadOrReportedWithItsPlace() throws {
        #expect(
            try parse("models: {m: {upstream: on-device, max_output_tokens: 8192}}").models[0].maximumOutput == 8192)
        #expect(try parse("models: {m: {upstream: on-device}}").models[0].maximumOutput == nil)
        for wrong in ["0", "-1", "8k", "100000001"] {
            let found = issues("models: {m: {upstream: on-device, max_output_tokens: \(wrong)}}")
            #expect(found.count == 1 && found[0].contains("max_output_tokens: found \"\(wrong)\""), "\(found)")
            #expect(found[0].contains("expected a whole number from 1 to 100000000"), "\(found)")
        }
    }

    @Test(arguments: [
        ("{requests: 60}", "requests: found \"60\", expected a rate such as 60/m"),
        ("{requests: 0/m}", "requests: found \"0/m\", expected a rate"), ("{tokens: 5G/d}", "expected a rate"),
        ("{tokens: 9999999M/d}", "expected a rate"), ("{tokens: 1/w}", "expected a rate"),
        ("{requests: []}", "requests: the list is empty"),
        ("{burst: 5}", "burst: it narrows requests, and there are none: add requests: 60/m"),
        ("{requests: [60/m, 4/s], burst: 5}", "burst: 5 is above the 4 that requests allows: write less"),
        ("{tokens: [10/d, 10/m, 20/d]}", "tokens: two rates per day: write the one that holds, the smaller one"),
        ("{in_flight: 0}", "in_flight: found \"0\", expected a whole number from 1"),
        ("{}", "limits: nothing is limited: add requests, tokens or in_flight, or remove it"),
        ("{request: 60/m}", "unknown key \"request\": did you mean \"requests\"?"),
    ])
    func mistakeIsReportedWithItsPlace(_ text: String, _ message: String) {
        let found = issues(key("limits: \(text)"))
        #expect(found.contains { $0.hasPrefix("t.yaml:1:") && $0.contains(message) }, "\(found)")
    }

    @Test func keysAndModelsAllowTiers() throws {
        let allowed = try parse(key("allow_tiers: [default, flex], unpriced: refuse", ""))
        #expect(allowed.keys[0].tiers == [ServiceTiers(.standard), ServiceTiers(.flex)])
        #expect(allowed.keys[0].unpriced == .refuse)
        let usual = try parse(key("admin: false", ""))
        #expect(usual.keys[0].tiers == .all && usual.keys[0].unpriced == .allow)
        let named = try parse(key("passthrough: [openai]", ""))
        #expect(named.keys[0].passthrough == ["openai"] && usual.keys[0].passthrough.isEmpty)
        let model = try parse("models: {m: {upstream: on-device, allow_tiers: [priority]}}").models[0]
        #expect(model.tiers == ServiceTiers(.priority))
        for (wrong, words) in [
            ("allow_tiers: []", "the list is empty"), ("allow_tiers: [fats]", "did you mean \"fast\"?"),
            ("unpriced: deny", "expected allow or refuse"), ("passthrough: ['a/b']", "expected a name of"),
            ("passthrough: [a], budget: {usd: 1, every: day}", "the key's budget would not count them"),
        ] {
            let found = issues(key(wrong, ""))
            #expect(found.count == 1 && found[0].contains(words), "\(found)")
        }
    }

    @Test func groupMustExist() {
        let found = issues(key("group: taem", "groups: {team: {limits: {requests: 1/s}}}"))
        #expect(found.contains { $0.contains("there is no such group: did you mean \"team\"?") }, "\(found)")
        #expect(issues(key("group: team")).contains { $0.contains("there is no such group: add it under groups") })
        #expect(issues("groups: {team: {}}").contains { $0.contains("group \"team\" has neither limits nor a budget") })
    }
}
