import HeadgateConfiguration
import Testing

@Suite struct ParameterTests {
    private func json(_ value: String, _ environment: [String: String] = [:]) throws -> String {
        let text = "upstreams:\n  u:\n    kind: on-device\n    parameters:\n      defaults:\n        p: \(value)"
        let rules = try parse(text, environment: environment).upstreams[0].parameters
        return String(decoding: rules.defaults[0].json, as: UTF8.self)
    }

    @Test(arguments: [
        ("null", "null"), ("~", "null"), ("", "null"), ("true", "true"), ("FALSE", "false"), ("yes", "\"yes\""),
        ("1", "1"), ("-07", "-7"), ("+12", "12"), ("0", "0"), ("-0", "-0"), ("0o17", "15"), ("0xfF", "255"),
        ("123456789012345678901234567890", "123456789012345678901234567890"), ("0.20", "0.20"), (".5", "0.5"),
        ("5.", "5.0"), ("-.5e3", "-0.5e3"), ("1e+5", "1e5"), ("1E-05", "1e-05"), ("007.5", "7.5"), ("'1'", "\"1\""),
        ("\"true\"", "\"true\""), ("''", "\"\""), ("1_000", "\"1_000\""), ("0o9", "\"0o9\""), ("e5", "\"e5\""),
        (".", "\".\""), ("1e", "\"1e\""), ("2027-01-01", "\"2027-01-01\""), ("1.2.3", "\"1.2.3\""),
        ("\"a\\\"b\\\\\\n\\x01é\"", "\"a\\\"b\\\\\\n\\u0001é\""), ("[1, a, [~]]", "[1,\"a\",[null]]"),
        ("{b: 1, \"a\\\"\": {c: []}}", "{\"b\":1,\"a\\\"\":{\"c\":[]}}"), ("\".inf\"", "\".inf\""), ("-.", "\"-.\""),
    ])
    func yamlBecomesCompactJSON(_ yaml: String, _ expected: String) throws {
        #expect(try json(yaml) == expected)
    }

    @Test func aVariableHasATypeOnlyInAPlainScalar() throws {
        let environment = ["N": "0.5", "Q": "a\"b"]
        #expect(try json("${N}", environment) == "0.5")
        #expect(try json("'${N}'", environment) == "\"0.5\"")
        #expect(try json("\n        - ${Q}\n        - \"${Q}\"", environment) == "[\"a\\\"b\",\"a\\\"b\"]")
    }

    @Test(arguments: [".nan", ".inf", "-.INF", "+.inf", "[1, {a: .NaN}]", "0x11111111111111111", "${U}"])
    func valueThatJSONCannotExpressIsRefused(_ value: String) {
        let found = issues(
            "upstreams:\n  u:\n    kind: on-device\n    parameters:\n      defaults:\n        p: \(value)")
        #expect(found.count == 1)
        #expect(found.first?.hasPrefix("t.yaml:6:") == true)
        #expect(found.first?.contains("parameter \"p\": ") == true)
    }

    @Test(arguments: [
        ("{defaults: {model: a}}", "60: error: defaults: parameter \"model\": the gateway reads it"),
        ("{overrides: {stream: true}}", "61: error: overrides: parameter \"stream\": the gateway reads it"),
        ("{strip: [messages]}", "57: error: strip: found \"messages\", the gateway reads it"),
        ("{strip: [input]}", "57: error: strip: found \"input\", the gateway reads it"),
        ("{defaults: {a: 1}, overrides: {a: 1}}", "79: error: overrides: parameter \"a\": it is already in defaults"),
        ("{strip: [a], defaults: {a: 1}}", "57: error: strip: found \"a\", it is already in defaults"),
        ("{strip: [a, a]}", "60: error: strip: found \"a\", it is already in strip"),
        ("{defaults: {'${A}': 1}}", "60: error: defaults: parameter \"${A}\": variables are only read in values"),
        ("{defaults: [a]}", "59: error: defaults: found a list, expected a mapping"),
        ("{strip: a}", "56: error: strip: found text, expected a list"),
    ])
    func parameterMistakes(_ parameters: String, _ issue: String) {
        let found = issues("upstreams: {u: {kind: on-device, 'parameters': \(parameters)}}")
        #expect(found.count == 1)
        #expect(found.first?.hasPrefix("t.yaml:1:" + issue) == true, "\(found)")
    }

    @Test func tooManyParametersAreRefused() {
        let entries = (0..<257).map { "p\($0): 1" }.joined(separator: ", ")
        let found = issues("upstreams: {u: {kind: on-device, parameters: {defaults: {\(entries)}}}}")
        #expect(found.count == 1)
        #expect(found.first?.hasSuffix("parameter \"p256\": more than 256 parameters: keep fewer") == true)
    }

    @Test func aModelsRuleOverridesItsUpstreams() throws {
        let text = """
            upstreams:
              u:
                kind: on-device
                timeouts: {connect: 1s, silence: 3s}
                parameters: {defaults: {a: 1, b: 2}, overrides: {c: 3, d: 4}, strip: [e, f]}
            models:
              plain: {upstream: u}
              own:
                upstream: u
                timeouts: {silence: 9s}
                parameters: {defaults: {c: 30, e: 50}, overrides: {a: 10}, strip: [d, g]}
            """
        let configuration = try parse(text)
        let upstream = configuration.upstreams[0]
        #expect(configuration.models[0].targets[0].parameters == upstream.parameters)
        #expect(configuration.models[0].targets[0].timeouts == upstream.timeouts)
        #expect(
            configuration.models[1].targets[0].timeouts
                == UpstreamTimeouts(connect: .seconds(1), firstByte: .seconds(120), silence: .seconds(9)))
        #expect(
            configuration.models[1].targets[0].parameters
                == ParameterRules(
                    defaults: [
                        .init(name: "b", json: Array("2".utf8)), .init(name: "c", json: Array("30".utf8)),
                        .init(name: "e", json: Array("50".utf8)),
                    ], overrides: [.init(name: "a", json: Array("10".utf8))], strip: ["f", "d", "g"]))
    }
}
