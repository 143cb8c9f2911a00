import Testing

@testable import HeadgateDialects

@Suite("The version in a model's name")
struct ClaudeTraitsTests {
    @Test(
        "is found in any place",
        arguments: [
            ("claude-3-5-sonnet-20241022", 3, 5), ("claude-3-opus-latest", 3, 0), ("claude-sonnet-4-5-20250929", 4, 5),
            ("claude-sonnet-4-20250514", 4, 0), ("claude-opus-4-6", 4, 6), ("claude-opus-5-5", 5, 5),
            ("claude-sonnet-5", 5, 0), ("anthropic/claude-sonnet-4.5", 4, 5), ("claude-sonnet-4@20250514", 4, 0),
            ("eu.anthropic.claude-3-7-sonnet-20250219-v1:0", 3, 7), ("Claude-2.1", 2, 1),
        ])
    func version(name: String, major: Int, minor: Int) {
        #expect(ClaudeTraits(model: name).version == ClaudeTraits.Version(major: major, minor: minor))
    }

    @Test("is unknown in other names", arguments: ["smart", "gpt-5", "claude", "claude-latest"])
    func unknown(name: String) {
        let traits = ClaudeTraits(model: name)
        #expect(traits.version == nil)
        #expect(traits.takesSampling && traits.takesForcedTools && traits.takesPrefill && traits.takesSchemas)
        #expect(traits.thinking == .budget && !traits.alwaysThinks && traits.takesTemperatureWithTopP)
    }
}
