import Testing

@testable import HeadgateConfiguration

@Suite struct YAMLTextTests {
    /// Reads the text as a value.
    private func read(_ text: String) throws -> String? {
        var issues = IssueList(file: "test")
        let root = try #require(YAMLComposer.compose(Array("k: \(text)\n".utf8), issues: &issues))
        #expect(issues.isEmpty, "\(text)")
        guard case .mapping(let entries) = root.content, case .scalar(let value, _) = entries[0].value.content else {
            return nil
        }
        return value
    }

    private static let texts = [
        "", "plain", "gpt-4.1-nano", "https://api.openai.com/v1", "yes", "null", "1", "1.5", "a: b", "a #b", "*", "&a",
        "- a",
        "\"quoted\"", "back\\slash", "line\nbreak\ttab\rreturn", "\u{1}\u{7F}\u{85}\u{2028}\u{FEFF}", "wörld 🌍",
        "ends:",
        "{a}", "[a]", "a, b", "%", "@x", "`x`", "!t", "'", " lead", "trail ", "o1*", "~",
    ]

    @Test(arguments: texts) func everyTextIsReadBack(text: String) throws {
        #expect(try read(YAMLText.scalar(text)) == text)
        #expect(try read("{a: \(YAMLText.scalar(text))}") == nil)
    }

    @Test(arguments: texts) func everyTextIsAKey(text: String) throws {
        var issues = IssueList(file: "test")
        let root = YAMLComposer.compose(Array("\(YAMLText.scalar(text)): 1\n".utf8), issues: &issues)
        guard case .mapping(let entries)? = root?.content else {
            Issue.record("no mapping for \(text)")
            return
        }
        #expect(issues.isEmpty && entries.map(\.key) == [text])
    }

    @Test func dollarSignsSurviveInterpolation() throws {
        let text = "a$b ${NAME} $$"
        let value = try #require(try read(YAMLText.literal(text)))
        #expect(try Interpolation(value, environment: [:], limit: 100).text == text)
        let variable = try #require(try read(YAMLText.variable("NAME", otherwise: "set it, or: \"write\" it")))
        #expect(try Interpolation(variable, environment: ["NAME": "x"], limit: 100).text == "x")
    }
}
