import HeadgateConfiguration
import Testing

@Suite struct YAMLTests {
    @Test(arguments: [
        BadInput(
            "loops: 2\nloops: 3", "2:1: error: duplicate key \"loops\": it is already at line 1; keep one of them"),
        BadInput("loops: &a 1", "1:8: error: anchors (&name) are not supported: write the value out"),
        BadInput("loops: *a", "1:8: error: aliases (*name) are not supported: write the value out, or in quotes"),
        BadInput("loops: !!int 2", "1:8: error: tags (!name, %TAG) are not supported: write the value without one"),
        BadInput(
            "%TAG !a! tag:a,2000:\n---\nloops: 2",
            "1:1: error: tags (!name, %TAG) are not supported: write the value without one"),
        BadInput("loops: 2\n---\nloops: 3", "2:1: error: a second document (---): keep one document in the file"),
        BadInput("? [a]\n: b", "1:3: error: a key must be text: put it in quotes"),
        BadInput("- loops", "1:1: error: the file: found a list, expected a mapping of \(topLevel)"),
        BadInput("loops", "1:1: error: the file: found text, expected a mapping of \(topLevel)"),
        BadInput(
            "limits: {body: 1",
            "2:1: error: malformed YAML: while parsing a flow mapping: did not find expected ',' or '}'\(advice)"),
        BadInput(
            "loops: 2\n\tlisten: x",
            "2:1: error: malformed YAML: while scanning a plain scalar: found a tab character that violates indentation"
                + advice),
        BadInput(
            "limits:\n  body: \"1",
            "2:11: error: malformed YAML: while scanning a quoted scalar: "
                + "found unexpected end of stream" + advice),
        BadInput(
            "loops: 2\nlisten: \u{1}",
            "2:9: error: malformed YAML: control characters are not allowed; \(encoding)"),
    ])
    func whatIsNotPlainYAMLIsRefusedAtItsPlace(_ input: BadInput) {
        input.check(environment: ["OPENAI_API_KEY": "k"])
    }

    private static let topLevel =
        "the keys listen, allowed_hosts, allowed_origins, public_url, loops, upstreams, program_groups, models, keys, "
        + "groups, budget, stored_responses, responses, compaction, cache, streams, fault_injection, limits, record, log, prices, ledger, "
        + "ledger_keep, counters, response_fields, metrics, "
        + "tracing, alerts, inspect"
    private static let advice = "; check indentation, brackets and quotes here and just above"
    private static let encoding = "save the file as UTF-8 text without control characters"

    @Test func duplicatesInNestedMappingsAreRefused() {
        let text = "upstreams:\n  a: {kind: on-device}\n  a: {kind: on-device}\nmodels: {x: {upstream: a}}"
        #expect(
            issues(text).contains {
                $0 == "t.yaml:3:3: error: duplicate key \"a\": it is already at line 2; keep one of them"
            })
    }

    @Test func severalRefusedPartsAreReportedTogether() {
        #expect(issues("loops: &a 2\nlisten: *a\nloops: 3\nkeyz: []").count == 4)
    }

    @Test func invalidUTF8IsRefusedAtItsPlace() {
        let error = #expect(throws: ConfigurationError.self) {
            _ = try Configuration.parse(text: Array("loops: 2\n# é ".utf8) + [0xFF], file: "t.yaml", environment: [:])
        }
        #expect(error?.issues.first?.position == SourcePosition(line: 2, column: 5))
    }

    @Test func nestingIsRefusedAboveSixtyFourLevels() {
        func nested(_ depth: Int) -> String {
            "x: " + String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        #expect(issues(nested(64)) == ["t.yaml:1:67: error: nested deeper than 64 levels: flatten it"])
        #expect(issues(nested(63)).first?.contains("unknown key \"x\"") == true)
    }

    @Test func hostileNestingIsRefusedWithoutReadingOn() {
        #expect(issues(String(repeating: "[", count: 1 << 20)).count == 1)
        #expect(issues(String(repeating: "{a: ", count: 1 << 18)).count == 1)
    }

    @Test func textAboveOneMebibyteIsRefused() {
        let text = "#" + String(repeating: "x", count: 1 << 20)
        #expect(issues(text) == ["t.yaml:1:1: error: the configuration is larger than 1 MiB: is this the right file?"])
        #expect(issues(String(text.dropLast())) == [])
    }

    @Test func manyIssuesAreCutOffWithANote() {
        let text = (0..<500).map { "key\($0): 1" }.joined(separator: "\n")
        let found = issues(text)
        #expect(found.count == 101)
        #expect(found.last == "t.yaml:100:1: error: 400 more issues are not shown: correct these first")
    }

    @Test func tooManyUpstreamsAreRefused() {
        let entries = (0..<257).map { "u\($0): {kind: on-device}" }.joined(separator: ", ")
        let text = "models: {a: {upstream: u0}}\nupstreams: {\(entries)}"
        #expect(issues(text) == ["t.yaml:2:1: error: upstreams: 257 are too many: keep at most 256"])
    }

    @Test(arguments: ["", "# nothing", "---\n", "~", "{}", "upstreams:\nmodels:\nkeys:\nlimits:\n", "\u{FEFF}loops: 2"])
    func emptyFilesAndSectionsLoad(_ text: String) throws {
        #expect(try parse(text).upstreams.map(\.name) == ["on-device"])
    }

    @Test func columnsCountCharactersAndNotBytes() {
        #expect(issues("limits: {\"é\": 1, x: 2}").map { $0.prefix(11) } == ["t.yaml:1:10", "t.yaml:1:18"])
    }

    @Test func everyPrefixOfAFileEndsInAResult() {
        let text = "listen: \"[::1]:1\"\nkeys:\n- {name: a, models: ['*']}\nmodels: {b: {upstream: on-device}}\n"
        for length in 0...text.utf8.count {
            _ = issues(String(decoding: text.utf8.prefix(length), as: UTF8.self))
        }
        #expect(issues(text).count == 1)
    }
}
