import HeadgateConfiguration
import Testing

/// Upstreams that look valid and can never respond.
@Suite struct DoomedUpstreamTests {
    private func check(
        _ upstream: String, environment: [String: String] = [:], refusal: @escaping @Sendable (String, Bool) -> String?
    ) -> [String] {
        do throws(ConfigurationError) {
            let text = upstream.isEmpty ? "" : "upstreams:\n  u: {\(upstream)}"
            _ = try Configuration.check(
                text: text, file: "t.yaml", environment: environment, surroundings: Surroundings(refusal: refusal))
            return []
        } catch {
            return error.issues.map(\.description)
        }
    }

    @Test(arguments: [
        ("https://api.openai.com", "https://api.openai.com/v1"),
        ("https://api.openai.com/", "https://api.openai.com/v1"),
        ("https://openrouter.ai", "https://openrouter.ai/api/v1"),
        ("https://api.groq.com", "https://api.groq.com/openai/v1"),
        ("https://api.mistral.ai", "https://api.mistral.ai/v1"),
        ("https://API.together.XYZ", "https://api.together.xyz/v1"),
        ("https://api.openai.com:443", "https://api.openai.com/v1"),
    ])
    func knownHostNeedsItsPath(_ url: String, _ advice: String) {
        let host = advice.dropFirst(8).prefix { $0 != "/" }
        let reason = "the API of \(host) has a path: write \(advice)"
        #expect(
            issues("upstreams:\n  u: {kind: openai, base_url: '\(url)'}") == ["t.yaml:2:31: error: base_url: \(reason)"]
        )
        #expect(
            issues("", environment: ["OPENAI_API_KEY": "k", "OPENAI_BASE_URL": url]) == [
                "environment: error: OPENAI_BASE_URL: \(reason)"
            ])
    }

    @Test(arguments: [
        "https://api.openai.com/v1", "https://api.openai.com/other", "https://api.deepseek.com", "https://llm.example",
        "http://127.0.0.1:8080", "unix:/run/llm.sock:/",
    ])
    func otherBaseURLsAreAccepted(_ url: String) {
        #expect(issues("upstreams: {u: {kind: openai, base_url: '\(url)'}}").isEmpty)
    }

    @Test(arguments: [
        ("openai", "https://api.openai.com/v1/chat/completions", "/chat/completions", "https://api.openai.com/v1"),
        ("openai", "http://127.0.0.1:8080/v1/chat/completions/", "/chat/completions", "http://127.0.0.1:8080/v1"),
        ("openai", "unix:/run/llm.sock:/v1/chat/completions", "/chat/completions", "unix:/run/llm.sock:/v1"),
        (
            "azure", "https://n.openai.azure.com/openai/v1/chat/completions", "/chat/completions",
            "https://n.openai.azure.com/openai/v1"
        ),
        ("anthropic", "https://api.anthropic.com/v1/messages", "/messages", "https://api.anthropic.com/v1"),
    ])
    func routeIsNotABaseURL(_ kind: String, _ url: String, _ route: String, _ advice: String) {
        let found = issues("upstreams: {u: {kind: \(kind), base_url: '\(url)'}}")
        #expect(found.count == 1)
        #expect(found.first?.hasSuffix("error: base_url: the gateway adds \(route) by itself: write \(advice)") == true)
    }

    @Test func forbiddenAddressIsRefusedAtItsPlace() {
        let refusal: @Sendable (String, Bool) -> String? = { $0 == "10.0.0.1" && !$1 ? "\($0) is private" : nil }
        let issue = ["t.yaml:2:31: error: base_url: 10.0.0.1 is private"]
        #expect(check("kind: openai, base_url: 'https://10.0.0.1/v1'", refusal: refusal) == issue)
        #expect(check("kind: openai, base_url: 'https://10.0.0.1/v1', allow_private: false", refusal: refusal) == issue)
        #expect(check("kind: openai, base_url: 'https://10.0.0.1/v1', allow_private: true", refusal: refusal).isEmpty)
        #expect(check("kind: openai, base_url: 'https://10.0.0.2/v1'", refusal: refusal).isEmpty)
        #expect(check("kind: openai, base_url: 'unix:/10.0.0.1'", refusal: { _, _ in "?" }).isEmpty)
        // The misspelling is a separate issue.
        let misspelt = check("kind: openai, base_url: 'https://10.0.0.1/v1', alow_private: true", refusal: refusal)
        #expect(misspelt.count == 1 && misspelt[0].contains("did you mean"))
    }

    @Test func addressOfTheEnvironmentIsCheckedToo() {
        let refusal: @Sendable (String, Bool) -> String? = { $1 ? nil : "\($0) is private" }
        #expect(
            check("", environment: ["OPENAI_BASE_URL": "https://10.0.0.1/v1"], refusal: refusal) == [
                "environment: error: upstream \"openai\": 10.0.0.1 is private"
            ])
        // The user has named this machine.
        #expect(check("", environment: ["OLLAMA_HOST": "https://10.0.0.1"], refusal: refusal).isEmpty)
    }
}
