import Testing

@testable import HeadgateConfiguration

/// Upstreams whose kind is the name of a provider.
@Suite struct ProviderKindTests {
    private let environment = ["OPENROUTER_API_KEY": "or-key", "OTHER": "other-key"]

    private func upstream(_ fields: String) throws -> UpstreamConfiguration {
        try parse("upstreams: {u: {\(fields)}}", environment: environment).upstreams[0]
    }

    @Test func providerNameFillsInItsKnownSettings() throws {
        let found = try upstream("kind: openrouter")
        #expect(found.kind == .openai && found.baseURL?.description == "https://openrouter.ai/api/v1")
        #expect(found.apiKeys == [Secret("or-key")] && found.speaks == [.chat])
    }

    @Test func everyProviderWithAnAddressIsAKind() throws {
        #expect(KnownProvider.presets.count == 14)
        for provider in KnownProvider.presets {
            let variables = provider.keyVariable.map { [$0: "key"] } ?? [:]
            let found = try parse("upstreams: {u: {kind: \(provider.name)}}", environment: variables).upstreams[0]
            #expect(found.baseURL?.description == provider.url && found.kind == provider.kind)
            #expect(found.apiKeys.count == variables.count)
        }
    }

    @Test func everythingCanBeOverridden() throws {
        #expect(try upstream("kind: openrouter, speaks: [chat, responses]").speaks == [.chat, .responses])
        #expect(try upstream("kind: openrouter, api_key: '${OTHER}'").apiKeys == [Secret("other-key")])
        #expect(try upstream("kind: openrouter, api_keys: ['${OTHER}']").apiKeys == [Secret("other-key")])
        let moved = try upstream("kind: openrouter, base_url: 'https://proxy.example/v1'")
        // The provider's key is not sent to another address.
        #expect(moved.baseURL?.description == "https://proxy.example/v1" && moved.apiKeys.isEmpty)
    }

    @Test func explanationNamesTheProviderAndItsLine() throws {
        let text = "upstreams:\n  u:\n    kind: openrouter\n"
        let lines = try Configuration.decode(
            Array(text.utf8), file: "h.yaml", environment: environment, settings: .init()
        ).settings.map { "\($0.path) = \($0.value) (\($0.origin))" }
        for expected in [
            "upstreams.u.kind = openrouter (h.yaml:3)",
            "upstreams.u.base_url = https://openrouter.ai/api/v1 (kind: openrouter, h.yaml:3)",
            "upstreams.u.api_key = <redacted> (environment OPENROUTER_API_KEY (kind: openrouter, h.yaml:3))",
            "upstreams.u.speaks = [chat] (kind: openrouter, h.yaml:3)",
        ] { #expect(lines.contains(expected), "\(lines)") }
    }

    @Test func missingKeyIsNamed() {
        let found = issues("upstreams:\n  u: {kind: groq}")
        #expect(found.count == 1 && found[0].contains("the variable GROQ_API_KEY is not set"), "\(found)")
        let wrong = issues("upstreams:\n  u: {kind: openruoter}")
        #expect(wrong.count == 1 && wrong[0].contains("did you mean \"openrouter\"?"), "\(wrong)")
    }
}
