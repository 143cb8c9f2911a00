import HeadgateConfiguration
import Testing

/// Messages about a key in a wrong place, which must not repeat the key.
@Suite struct MisplacedSecretTests {
    private static let secrets = [
        "sk-proj-abcdefghijklmnop", "hg-Zm9vYmFyYmF6cXV4", "gsk_abcdefgh", "0123456789abcdef0123456789abcdef",
        "AIzaSyA1b2C3d4E5f6", "abcdefghijklmnopqrstuvwxyz", "eyJhbGciOiJIUzI1NiJ9.e30.x", "Bearer abcdefg",
    ]

    @Test(
        arguments: secrets,
        [
            "upstreams: {u: {kind: '%'}}", "upstreams: {u: {kind: openai, base_url: '%'}}", "loops: '%'", "listen: '%'",
            "listen: {address: '127.0.0.1:1', auth: '%'}", "upstreams: {'%': x}",
            "upstreams: {u: {kind: on-device, '%': x}}",
            "models: {m: {upstream: '%'}}", "models: {'%': x}", "keys: [{name: k, sha256: '%'}]",
            "keys: [{name: k, expires: '%'}]", "keys: [{name: k, '%': x}]", "'%': 1", "{'%': 1, '%': 2}",
            "upstreams: {u: {kind: openai, base_url: 'https://h/v1', headers: {'%': 'a\\u0000'}}}",
            "upstreams: {u: {kind: openai, base_url: 'https://h/v1', timeouts: {connect: '%'}, allow_private: '%'}}",
            "upstreams: {u: {kind: openai, base_url: 'https://h/v1', ca: '%', forward_headers: ['%']}}",
            "upstreams: {u: {kind: openai, base_url: 'https://h/v1', api_keys: ['%', '%'], local: '%', max_in_flight: '%'}}",
            "upstreams: {u: {kind: on-device, breaker: {failures: '%', '%': 1}}}",
            "upstreams: {u: {kind: openai, base_url: 'https://h/v1', health: {path: '%', every: '%'}}}",
            "models: {m: {targets: [{upstream: '%'}, {upstream: '%', weight: '%'}], choose: '%', affinity: '%'}}",
            "models: {m: {upstream: x, affinity: 'header:% ', retry: {on: ['%'], budget: '%'}}}",
            "response_fields: '%'", "compaction: '%'", "prices: '%'", "ledger: '%'", "ledger: 'postgresql://u:%@h'",
            "ledger_keep: '%'",
            "metrics: '%'", "counters: '%'", "counters: 'redis://u:%@h/x'", "counters: 'redis://%@h'",
            "allowed_hosts: ['%']", "allowed_origins: ['%']", "public_url: '%'", "limits: {body: '%'}",
        ])
    func secretIsNotShown(_ secret: String, _ text: String) {
        let found = issues(text.replacing("%", with: secret))
        #expect(found.allSatisfy { !$0.contains(secret) }, "\(found)")
    }

    @Test(arguments: [
        "open ai", String(repeating: "word-", count: 7), "a\u{202E}b", "https://h/v1", "openai;key=abc", "Ünïcode",
    ])
    func onlyAllowedWordsAreShownInsteadOfAWrongOne(_ text: String) {
        let found = issues("upstreams: {u: {kind: '\(text)'}}")
        #expect(found.count == 1 && !found[0].contains("found") && found[0].contains("kind: expected openai"))
    }

    @Test func wordsAreShown() {
        #expect(issues("upstreams: {u: {kind: opnai}}").first?.contains("found \"opnai\"") == true)
        #expect(issues("upstreams: {u: {kind: gpt4}}").first?.contains("found \"gpt4\"") == true)
        #expect(issues("models: {gpt-4o-mini-2024-07-18: x}").first?.contains("\"gpt-4o-mini-2024-07-18\"") == true)
        #expect(
            issues("keys: [{expires: '2027-13-01T00:00:00Z'}]").contains { $0.contains("\"2027-13-01T00:00:00Z\"") })
    }
}
