import Testing

@testable import HeadgateApps

@Suite struct SecretMaskTests {
    @Test(arguments: [
        ("+  \"ANTHROPIC_AUTH_TOKEN\": \"hg-0123456789abcdef\",", "+  \"ANTHROPIC_AUTH_TOKEN\": \"***\","),
        ("-openai-api-key: abcdef0123456789", "-openai-api-key: ***"),
        (" {\"openai\": \"sk-proj-0123456789abcdef\"}", " {\"openai\": \"***\"}"),
        (" mine: the-gateways-key", " mine: ***"),
    ])
    func keysAreHidden(line: String, shown: String) {
        #expect(SecretMask.masked(line, key: "the-gateways-key") == shown)
    }

    @Test(arguments: [
        "+env_key = \"HEADGATE_KEY\"", "+    \"apiKey\": \"${input:headgateKey}\",",
        "+      \"apiKey\": \"{file:/home/ada/.config/headgate/key}\"", "+  \"max_tokens\": 128000,",
        "+model = \"claude-sonnet-4-5-20250929\"",
    ])
    func referencesAndOtherValuesAreShown(line: String) {
        #expect(SecretMask.masked(line) == line)
    }

    @Test(arguments: [
        ("-{\"mistral\": \"QlN8dX0nYb2zR7sT5uVw1A3cE6gH9jK4\"}", "-{\"mistral\": \"***\"}"),
        ("   openai: short-one", "   openai: ***"), ("+model: openai/chat", "+model: openai/chat"),
        ("   name: Mine", "   name: Mine"),
    ])
    func keyFileDiffShowsOnlySetupsChanges(line: String, shown: String) {
        #expect(SecretMask.masked(line, showing: ["openai/chat"]) == shown)
    }
}
