import HeadgateConfiguration
import JSONBytes
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

@Suite struct ParameterRewritingTests {
    private static func parameter(_ name: String, _ json: String) -> ParameterRules.Parameter {
        ParameterRules.Parameter(name: name, json: Array(json.utf8))
    }

    private static let rules = ParameterRules(
        defaults: [parameter("temperature", "0.2"), parameter("a\"b", "[1,2]")],
        overrides: [parameter("max_tokens", "64"), parameter("user", "{\"id\":null}")],
        strip: ["seed", "é", "logit_bias"])

    private func rewritten(_ body: String, _ rules: ParameterRules = rules) throws -> String {
        let rewriting = try #require(ParameterRewriting(rules))
        return String(decoding: try rewriting.rewritten(Array(body.utf8)), as: UTF8.self)
    }

    @Test func noRulesNeedNoRewriting() {
        #expect(ParameterRewriting(ParameterRules()) == nil)
    }

    @Test func defaultsApplyOnlyToMissingMembers() throws {
        let rules = ParameterRules(defaults: [Self.parameter("a", "1"), Self.parameter("b", "2")])
        #expect(try rewritten(#"{"x":0}"#, rules) == #"{"x":0,"a":1,"b":2}"#)
        #expect(try rewritten(#"{ "b" : null , "x":0 }"#, rules) == #"{ "b" : null , "x":0,"a":1 }"#)
        #expect(try rewritten("{}", rules) == #"{"a":1,"b":2}"#)
        #expect(try rewritten(" {\n}\n", rules) == " {\"a\":1,\"b\":2\n}\n")
        #expect(try rewritten(#"{"\u0061":5,"b":6}"#, rules) == #"{"\u0061":5,"b":6}"#)
        #expect(try rewritten(#"{"x":{"a":1}}"#, rules) == #"{"x":{"a":1},"a":1,"b":2}"#, "only the top level counts")
    }

    @Test func overridesReplaceOrAreAdded() throws {
        let rules = ParameterRules(overrides: [Self.parameter("a", "true")])
        #expect(try rewritten(#"{"a": [1, {"a":2}] ,"x":0}"#, rules) == #"{"a": true ,"x":0}"#)
        #expect(try rewritten(#"{"x":0,"a":1}"#, rules) == #"{"x":0,"a":true}"#)
        #expect(try rewritten(#"{"x":0}"#, rules) == #"{"x":0,"a":true}"#)
    }

    @Test(arguments: [
        (#"{"s":1}"#, "{}"), (#"{ "s":1 }"#, "{  }"), (#"{"s":1,"x":2}"#, #"{"x":2}"#),
        (#"{"x":2,"s":1}"#, #"{"x":2}"#),
        (#"{"x":2 , "s":1 }"#, #"{"x":2 }"#), (#"{"x":1, "s":2, "y":3}"#, #"{"x":1, "y":3}"#),
        (#"{"s":1,"t":2}"#, "{}"), (#"{"x":0,"s":1,"t":2}"#, #"{"x":0}"#), (#"{"s":1,"t":2,"x":0}"#, #"{"x":0}"#),
        (#"{"s":1,"x":0,"t":2}"#, #"{"x":0}"#), (#"{"x":0,"s":1,"t":2,"y":3}"#, #"{"x":0,"y":3}"#),
        (#"{"x":{"s":1}}"#, #"{"x":{"s":1}}"#), (#"{"\u0073":1,"x":0}"#, #"{"x":0}"#),
    ])
    func strippedMembersLoseTheirCommas(body: String, expected: String) throws {
        #expect(try rewritten(body, ParameterRules(strip: ["s", "t"])) == expected)
    }

    @Test func allRulesTogether() throws {
        let body = #"{"seed":7,"messages":[{"seed":1}],"max_tokens": 1e9 ,"é":"","logit_bias":{}}"#
        let expected =
            #"{"messages":[{"seed":1}],"max_tokens": 64,"temperature":0.2,"a\"b":[1,2],"user":{"id":null}}"#
        #expect(try rewritten(body) == expected)
        let onlyStripped = #"{"seed":7}"#
        let added = #"{"temperature":0.2,"a\"b":[1,2],"max_tokens":64,"user":{"id":null}}"#
        #expect(try rewritten(onlyStripped) == added)
    }

    @Test func bodyThatNeedsNoChangeIsTheSame() throws {
        let body = #" { "temperature" : 1, "a\u0022b":0,"max_tokens":64} "#
        let rules = ParameterRules(defaults: Self.rules.defaults, strip: ["seed"])
        #expect(try rewritten(body, rules) == body)
    }

    @Test(arguments: [
        #"{"temperature":1,"temperature":2}"#, #"{"max_tokens":1,"max\u005ftokens":2}"#, #"{"seed":1,"seed":2}"#,
    ])
    func duplicateMemberOfTheRulesIsRefused(body: String) throws {
        let rewriting = try #require(ParameterRewriting(Self.rules))
        let error = #expect(throws: JSONError.self) { try rewriting.rewritten(Array(body.utf8)) }
        guard case .duplicateKey? = error?.kind else {
            Issue.record("another error: \(String(describing: error))")
            return
        }
    }

    @Test(arguments: ["", "[]", "1", "{", #"{"a":1,}"#, #"{"a":1} x"#])
    func nonObjectIsRefused(body: String) throws {
        let rewriting = try #require(ParameterRewriting(Self.rules))
        #expect(throws: JSONError.self) { try rewriting.rewritten(Array(body.utf8)) }
    }

    @Test(arguments: [
        #"{"Temperature":1}"#, #"{"MAX_TOKENS":1}"#, #"{"max_to\u212aens":1}"#, #"{"\u017feed":1}"#, #"{"É":1}"#,
        #"{"temperature":1,"x":{},"tempeRature":2}"#, #"{"logit_b\u0131as":{}}"#,
    ])
    func memberThatDiffersFromARuleOnlyInCaseIsRefused(body: String) throws {
        let rewriting = try #require(ParameterRewriting(Self.rules))
        let error = #expect(throws: JSONError.self) { try rewriting.rewritten(Array(body.utf8)) }
        guard case .ambiguousKey? = error?.kind else {
            Issue.record("another error: \(String(describing: error))")
            return
        }
    }

    @Test func memberInAnotherCaseWithoutARulePasses() throws {
        let body = #"{"temperature":1,"Top_P":2,"a\"b":0,"max_tokens":64,"user":{"id":null},"Seeds":1}"#
        let rules = ParameterRules(defaults: Self.rules.defaults, strip: ["seed"])
        #expect(try rewritten(body, rules) == body)
    }
}
