import HeadgateConfiguration
import Testing

/// Targets of models.
@Suite struct TargetTests {
    private static let upstreams = """
        upstreams:
          a: {kind: openai, base_url: "https://a", timeouts: {connect: 1s}, breaker: {failures: 3}}
          b: {kind: openai, base_url: "https://b", timeouts: {first_content: 7s}, parameters: {defaults: {n: 1, m: 2}}}

        """

    private func model(_ fields: String, name: String = "x") throws -> ModelConfiguration {
        try parse("\(Self.upstreams)models: {\"\(name)\": {\(fields)}}").models[0]
    }

    private func check(_ fields: String, _ found: [String], name: String = "x") {
        #expect(issues("\(Self.upstreams)models:\n  \(name): {\(fields)}") == found.map { "t.yaml:5:\($0)" })
    }

    private func warnings(_ fields: String) throws -> [String] {
        let text = "\(Self.upstreams)models:\n  x: {\(fields)}\n  y: {upstream: a}\n  z: {upstream: b}"
        return try HeadgateConfigurationTests.warnings(text)
    }

    @Test func oneUpstreamIsTheFormForOneTarget() throws {
        let one = try model("upstream: a, model: m")
        #expect(one == (try model("targets: [{upstream: a, model: m}]")))
        #expect(one.targets.count == 1 && one.targets[0].upstream == "a" && one.targets[0].model == "m")
        #expect(one.targets[0].weight == 1 && one.targets[0].breaker == BreakerConfiguration(failures: 3))
        #expect(one.choice == .first && one.affinity == .none && one.total == nil)
        #expect(one.retry == RetryConfiguration())
    }

    @Test func eachTargetMergesUpstreamAndModelSettings() throws {
        let model = try model(
            """
            targets: [{upstream: a, model: m, weight: 3}, {upstream: b, weight: 1000, breaker: {cooldown: 1s}}, \
            {upstream: a, breaker: {cooldown: 2m}}], choose: weighted, affinity: user, \
            timeouts: {silence: 9s, total: 10m}, parameters: {overrides: {m: 3}}
            """)
        let parameters = ParameterRules(overrides: [.init(name: "m", json: Array("3".utf8))])
        let timeouts = UpstreamTimeouts(connect: .seconds(1), silence: .seconds(9))
        #expect(
            model.targets == [
                TargetConfiguration(
                    upstream: "a", model: "m", weight: 3, timeouts: timeouts, parameters: parameters,
                    breaker: BreakerConfiguration(failures: 3)),
                TargetConfiguration(
                    upstream: "b", weight: 1000,
                    timeouts: UpstreamTimeouts(silence: .seconds(9), firstContent: .seconds(7)),
                    parameters: ParameterRules(
                        defaults: [.init(name: "n", json: Array("1".utf8))], overrides: parameters.overrides),
                    breaker: BreakerConfiguration(cooldown: .seconds(1))),
                TargetConfiguration(
                    upstream: "a", timeouts: timeouts, parameters: parameters,
                    breaker: BreakerConfiguration(failures: 3, cooldown: .seconds(120))),
            ])
        #expect(model.choice == .weighted && model.affinity == .user && model.total == .seconds(600))
    }

    @Test(arguments: [
        ("first", TargetChoice.first), ("weighted", .weighted), ("least_busy", .leastBusy), ("fastest", .fastest),
    ])
    func choicesAreWords(_ word: String, _ choice: TargetChoice) throws {
        #expect(try model("targets: [{upstream: a}, {upstream: b}], choose: \(word)").choice == choice)
    }

    @Test func deadlinesOfContentAreAtUpstreamsAndModels() throws {
        #expect(try model("upstream: b").targets[0].timeouts.firstContent == .seconds(7))
        #expect(
            try model("upstream: b, timeouts: {first_content: 1ms}").targets[0].timeouts.firstContent
                == .milliseconds(1))
        #expect(try model("upstream: a, timeouts: {first_content: 24h, total: 24h}").total == .seconds(86_400))
        #expect(try model("upstream: a").targets[0].timeouts.firstContent == nil)
        #expect(
            issues("upstreams: {a: {kind: on-device, timeouts: {total: 1s}}}") == [
                "t.yaml:1:45: error: unknown key \"total\": timeouts takes connect, first_byte, silence, first_content"
            ])
        let expected = "expected a duration such as 250ms, 5s, 2m or 1h (above zero, at most 24h)"
        check("upstream: a, timeouts: {first_content: 0ms}", ["46: error: first_content: found \"0ms\", \(expected)"])
        check("upstream: a, timeouts: {total: 25h}", ["38: error: total: found \"25h\", \(expected)"])
    }

    @Test func patternCanHaveSeveralTargets() throws {
        let model = try model("targets: [{upstream: a}, {upstream: b, model: m}]", name: "gpt-*")
        #expect(model.isPattern && model.targets.map(\.model) == [nil, "m"])
        #expect(model.passesNames(to: "a") && !model.passesNames(to: "b"))
        #expect(model.leads(to: "b") && !model.leads(to: "c"))
    }

    @Test(arguments: [
        ("targets: []", "16: error: targets: the list is empty: add one such as {upstream: NAME}"),
        (
            "targets: {upstream: a}",
            "16: error: targets: found a mapping, expected a list of targets such as {upstream: NAME, model: NAME}"
        ),
        (
            "targets: [a]",
            "17: error: a target: found text, expected a mapping of the keys upstream, model, weight, breaker, when"
        ),
        ("targets: [{model: m}]", "17: error: a target has no upstream: add upstream: NAME"),
        (
            "targets: [{upstream: c}]",
            "28: error: upstream: found \"c\", no upstream has this name: expected one of \"a\", \"b\""
        ),
        (
            "targets: [{upstream: nowhere}]",
            "28: error: upstream: found \"nowhere\", no upstream has this name: expected one of \"a\", \"b\""
        ),
        (
            "targets: [{upstream: a, model: 'm*'}]",
            "38: error: model: found \"m*\", expected the one name that the upstream knows, without '*'; leave it out to pass the name on"
        ),
        (
            "targets: [{upstream: a, weight: 0}]",
            "39: error: weight: found \"0\", expected a whole number from 1 to 1000"
        ),
        (
            "targets: [{upstream: a, weight: 1001}]",
            "39: error: weight: found \"1001\", expected a whole number from 1 to 1000"
        ),
        (
            "targets: [{upstream: a, breaker: {failures: 0}}]",
            "51: error: failures: found \"0\", expected a whole number from 1 to 1000"
        ),
        (
            "targets: [{upstream: a, timeouts: {}}]",
            "31: error: unknown key \"timeouts\": a target takes upstream, model, weight, breaker, when"
        ),
        (
            "targets: [{upstream: a, model: m}, {upstream: b}, {upstream: a, model: m}]",
            "57: error: a target: the same model of the same upstream as at line 5, column 17: keep one of them"
        ),
        (
            "targets: [{upstream: a, model: x}, {upstream: a}]",
            "42: error: a target: the same model of the same upstream as at line 5, column 17: keep one of them"
        ),
        (
            "targets: [{upstream: a}], upstream: b",
            "33: error: upstream: each of the targets has its own: remove it, or targets"
        ),
        (
            "targets: [{upstream: a}], model: m",
            "33: error: model: each of the targets has its own: remove it, or targets"
        ),
        (
            "upstream: a, choose: fast",
            "28: error: choose: found \"fast\", expected first, weighted, least_busy or fastest"
        ),
        ("model: m", "3: error: model \"x\" has no upstream: add upstream: NAME"),
        ("target: [{upstream: a}]", "7: error: unknown key \"target\": did you mean \"targets\"?"),
    ])
    func targetMistakes(_ fields: String, _ issue: String) {
        check(fields, [issue])
    }

    @Test func unknownUpstreamsAreDistinguished() {
        let reason = "no upstream has this name: expected one of \"a\", \"b\""
        check(
            "targets: [{upstream: nowhere}, {upstream: nothing}]",
            ["28: error: upstream: found \"nowhere\", \(reason)", "49: error: upstream: found \"nothing\", \(reason)"])
    }

    @Test func sixteenTargetsAreEnough() throws {
        func list(_ count: Int) -> String {
            "targets: [\((0..<count).map { "{upstream: a, model: m\($0)}" }.joined(separator: ", "))]"
        }
        #expect(try model(list(16)).targets.count == 16)
        check(list(17), ["7: error: targets: 17 are too many: keep at most 16"])
    }

    @Test func ineffectiveSharesAreWarnedAbout() throws {
        let alone = "with one target there is nothing to choose: add another one, or remove it"
        #expect(
            try warnings("upstream: a, choose: fastest, affinity: user") == [
                "t.yaml:5:20: warning: choose: \(alone)", "t.yaml:5:37: warning: affinity: \(alone)",
            ])
        #expect(
            try warnings("targets: [{upstream: a, weight: 2}]") == [
                "t.yaml:5:31: warning: weight: with one target there is nothing to share: remove it"
            ])
        let two = "targets: [{upstream: a}, {upstream: b, weight: 2}]"
        let unused = "without choose: weighted or an affinity it changes nothing: add one of them, or remove it"
        #expect(try warnings(two) == ["t.yaml:5:46: warning: weight: \(unused)"])
        #expect(try warnings(two + ", choose: fastest") == ["t.yaml:5:46: warning: weight: \(unused)"])
        #expect(try warnings(two + ", choose: weighted").isEmpty)
        #expect(try warnings(two + ", affinity: user").isEmpty)
        #expect(try warnings("upstream: a, retry: {attempts: 3}").isEmpty)
        #expect(
            try warnings("targets: [{upstream: a}, {upstream: b}], choose: least_busy, affinity: conversation").isEmpty)
    }

    @Test func everyTargetsUpstreamIsUsed() throws {
        let text = "\(Self.upstreams)models: {x: {targets: [{upstream: a}, {upstream: b}]}}"
        #expect(try HeadgateConfigurationTests.warnings(text).isEmpty)
    }

    @Test func targetCanBeForSomeRequestsOnly() throws {
        let model = try model(
            """
            targets: [{upstream: a, when: {tokens_above: 9, images: false, tools: true, keys: [k], groups: [g], headers: {X-Team: s}}}, \
            {upstream: b}]
            """)
        let condition = try #require(model.targets[0].condition)
        #expect(condition.tokensAbove == 9 && condition.images == false && condition.tools == true)
        #expect(condition.groups == ["g"])
        #expect(condition.keys == ["k"] && condition.headers == [.init(name: "x-team", value: "s")])
        #expect(model.targets[1].condition == nil)
    }

    @Test func conditionIsNotEmptyAndLeavesATargetForTheRest() {
        check(
            "targets: [{upstream: a, when: {}}, {upstream: b}]",
            ["31: error: when: it says nothing: add tokens_above, images, tools, keys, groups or headers, or remove it"]
        )
        check(
            "targets: [{upstream: a, when: {tools: true}}]",
            [
                "7: error: targets: each has 'when', so that other requests have none: add a target without it"
            ])
    }
}
