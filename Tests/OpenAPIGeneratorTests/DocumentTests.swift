import Testing

@testable import OpenAPIGenerator

@Suite struct DocumentTests {
    @Test func documentIsEmbeddedAsItWasWritten() throws {
        var document = SampleDocument(answering: "{type: string}")
        document.paths += "\n# \"# and \\# and \"\"\"## stay\n"
        let text = try document.file("Document/OpenAPIDocument+YAML1.swift")
        #expect(text.contains("static let yaml1 = ###\"\"\"\n" + document.yaml + "\n\"\"\"###\n"))
    }

    @Test func longDocumentIsSplitIntoFilesThatRecombine() throws {
        var document = SampleDocument(answering: "{type: string}")
        document.paths += String(repeating: "\n# line", count: 500)
        let parts = try (1...2).map { try document.file("Document/OpenAPIDocument+YAML\($0).swift") }
        let literals = parts.map { part in
            part.split(separator: "\n", omittingEmptySubsequences: false).dropFirst(5).dropLast(3)
        }
        #expect(literals.map(\.count).max() == 400)
        #expect(literals.map { $0.joined(separator: "\n") }.joined(separator: "\n") == document.yaml)
        #expect(
            try document.file("Document/OpenAPIDocument.swift").contains(
                "static let yaml = [yaml1, yaml2].joined(separator: \"\\n\")\n"))
    }

    @Test(arguments: [
        ("a: [1, -2.5e3, 0]", "{\"a\":[1,-2.5e3,0]}"),
        ("a: [true, false, null, ~]", "{\"a\":[true,false,null,null]}"),
        ("a:", "{\"a\":null}"),
        ("a: 3.1.0", "{\"a\":\"3.1.0\"}"),
        ("a: [\"1\", 'true', \"no\"]", "{\"a\":[\"1\",\"true\",\"no\"]}"),
        ("a: \"q\\\" b\\\\ t\\t n\\n \\u0001 é\"", "{\"a\":\"q\\\" b\\\\ t\\t n\\n \\u0001 é\"}"),
        ("a: |\n  b\n  c\n", "{\"a\":\"b\\nc\\n\"}"),
        ("{z: {}, a: []}", "{\"z\":{},\"a\":[]}"),
    ])
    func yamlBecomesJSON(yaml: String, json: String) throws {
        let node = try DocumentNode(yaml: yaml, diagnostics: Diagnostics(.gateway("a")))
        #expect(node.json(linesToDepth: 0) == json)
    }

    /// The number parsers of the standard library accept a sign.
    @Test(arguments: ["+123", "-000", "12", "12g4"])
    func escapeNeedsFourHexadecimalDigits(digits: String) {
        #expect(JSONParser.parse("{\"a\":\"\\u\(digits)\"}") == nil)
        #expect(JSONParser.parse("{\"a\":\"\\ud83d\\u\(digits)\"}") == nil)
    }

    @Test func escapesOfBothHalvesAreOneCharacter() throws {
        let node = try #require(JSONParser.parse("{\"a\":\"\\u00e9\\ud83d\\ude00\\ud83d\"}"))
        #expect(node.json(linesToDepth: 0) == "{\"a\":\"é😀\u{FFFD}\"}")
    }

    @Test func jsonHasALineForEachMemberDownToADepth() throws {
        let node = try DocumentNode(yaml: "{a: {b: {c: 1}, d: 2}}", diagnostics: Diagnostics(.gateway("a")))
        #expect(node.json(linesToDepth: 2) == "{\n\"a\":{\n\"b\":{\"c\":1},\n\"d\":2\n}\n}")
    }

    @Test(arguments: ["yes", "Off", "2024-01-01", "0x10", "1_000", "0o17", ".inf", "True"])
    func ambiguousScalarIsReported(text: String) {
        let problems = SampleDocument(paths: "  /a: \(text)").problems
        #expect(
            problems.first
                == "openapi.yaml:6:7: error: '\(text)' is not a string to every reader of YAML: put it in quotes")
    }
}
