import HeadgateConfiguration
import Testing

@Suite struct InterpolationTests {
    private func header(_ source: String, _ environment: [String: String]) throws -> String {
        let text = "upstreams: {u: {kind: openai, base_url: \"https://h\", headers: {A: '\(source)'}}}"
        return try parse(text, environment: environment).upstreams[0].headers[0].value
    }

    private func issue(_ source: String, _ environment: [String: String] = [:]) -> [String] {
        issues("loops: \"\(source)\"", environment: environment)
    }

    @Test(arguments: [
        ("${A}", "one"), ("a${A}b${B}c", "aoneb{a: b}c"), ("$${A}", "${A}"), ("$$$$", "$$"), ("${N:-two}", "two"),
        ("${E:-two}", "two"), ("${A:-two}", "one"), ("x${N:-}", "x"), ("${D}", "${A}"), ("${N:-a:-b}", "a:-b"),
    ])
    func variablesAreReplaced(_ source: String, _ expected: String) throws {
        #expect(try header(source, ["A": "one", "B": "{a: b}", "E": "", "D": "${A}"]) == expected)
    }

    @Test(arguments: ["{a: b}", "[x]", "a: b", "- a", "!t", "&a", "# c", "null", "~", "x\"y", "x'y"])
    func aVariableNeverBecomesStructure(_ value: String) throws {
        #expect(try header("${V}", ["V": value]) == value)
        let plain = try parse("models:\n  x:\n    upstream: on-device\n    model: ${V}", environment: ["V": value])
        #expect(plain.models[0].targets[0].model == value)
    }

    @Test func aVariableCanHaveAnyScalarType() throws {
        let environment = ["N": "3", "L": "[::1]:9", "B": "1KiB"]
        let configuration = try parse("loops: ${N}\nlisten: ${L}\nlimits:\n  body: \"${B}\"", environment: environment)
        #expect(configuration.loops == 3)
        #expect(configuration.listeners[0].address.description == "[::1]:9")
        #expect(configuration.limits.body == 1024)
    }

    @Test func unsetVariableIsAnIssueAtItsScalar() {
        #expect(
            issues("listen: ${L}\nloops: ${N}") == [
                "t.yaml:1:9: error: listen: the variable L is not set: set it, or write ${L:-default}",
                "t.yaml:2:8: error: loops: the variable N is not set: set it, or write ${N:-default}",
            ])
    }

    @Test func adviceNeverSuggestsASecretAsADefault() {
        let text = """
            upstreams: {a: {kind: openai, base_url: "https://a.example/v1", api_key: "${KEY}"}}
            """
        let found = issues(text)
        #expect(found.count == 1 && found[0].contains("the variable KEY is not set: set it where the gateway starts"))
        #expect(!found[0].contains(":-") && found[0].contains("{file: PATH}"))
    }

    @Test func emptyVariableIsAnIssue() {
        #expect(issue("${E}", ["E": ""]) == ["t.yaml:1:8: error: loops: the variable E is empty: give it a value"])
    }

    @Test func aVariableCanHaveAMessageForItsAbsence() throws {
        let message = "t.yaml:1:8: error: loops: the variable L is missing: set L, as in \\u{1b}L=2"
        for environment in [[:], ["L": ""]] {
            #expect(issues("loops: \"${L:?set L, as in \\eL=2}\"", environment: environment) == [message])
        }
        #expect(try parse("loops: ${L:?set L}", environment: ["L": "2"]).loops == 2)
        #expect(issue("${L:?}").first?.contains("the variable L is not set") == true)
    }

    @Test func theValueOfAVariableIsNotRepeated() {
        #expect(
            issue("${S}", ["S": "hunter2"]) == [
                "t.yaml:1:8: error: loops: the value of S: expected a whole number from 1 to 1024"
            ])
    }

    @Test(arguments: [
        "$A", "$", "1$", "${", "${A", "${}", "${1}", "${-x}", "${A-x}", "${A?x}", "${A:+x}", "${A:-${B}}", "${A:?${B}}",
        "${a b}",
    ])
    func otherDollarSyntaxIsRefused(_ source: String) {
        let found = issue(source, ["A": "1", "B": "2"])
        #expect(found.count == 1)
        #expect(found.first?.hasPrefix("t.yaml:1:8: error: loops: ") == true)
    }

    @Test func expansionIsBoundedOverAllScalars() {
        let entries = (0..<3).map { "m\($0): {upstream: on-device, model: '${V}'}" }.joined(separator: ", ")
        let found = issues("models: {\(entries)}", environment: ["V": String(repeating: "x", count: 400 << 10)])
        #expect(found.count == 3)
        #expect(found.last?.contains("the variables make the configuration larger than 1 MiB") == true)
    }
}
