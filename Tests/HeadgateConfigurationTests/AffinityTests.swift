import HeadgateConfiguration
import Testing

@Suite struct AffinityTests {
    private static func text(_ affinity: String) -> String {
        "upstreams: {a: {kind: on-device}}\nmodels: {m: {targets: [{upstream: a}, {upstream: a, model: n}], affinity: \(affinity)}}"
    }

    @Test(arguments: [
        ("none", Affinity.none), ("conversation", .conversation), ("user", .user),
        ("prompt_cache_key", .promptCacheKey), ("header:X-Session-Id", .header("x-session-id")),
        ("\"header:user\"", .header("user")),
    ])
    func affinitiesAreRead(_ text: String, _ affinity: Affinity) throws {
        #expect(try parse(Self.text(text)).models[0].affinity == affinity)
    }

    @Test(arguments: [
        ("session", "expected none, conversation, user, prompt_cache_key or header:NAME"),
        (
            "conversations",
            "expected none, conversation, user, prompt_cache_key or header:NAME; did you mean \"conversation\"?"
        ),
        ("None", "expected none, conversation, user, prompt_cache_key or header:NAME; did you mean \"none\"?"),
        ("'header:'", "not a header name: write letters, digits and '-', such as header:X-Session-Id"),
        ("'header: x'", "not a header name"), ("header:a b", "not a header name"), ("'header:a:'", "not a header name"),
        ("header:Authorization", "the field may hold the client's credential: name one that holds no secret"),
        ("header:X-API-Key", "the client's credential"), ("header:api-key", "the client's credential"),
        ("header:Cookie", "the client's credential"), ("header:proxy-authorization", "the client's credential"),
    ])
    func othersAreRefused(_ text: String, _ reason: String) {
        let found = issues(Self.text(text))
        #expect(found.count == 1)
        #expect(found.first?.hasPrefix("t.yaml:2:75: error: affinity: ") == true, "\(found)")
        #expect(found.first?.contains(reason) == true, "\(found)")
    }
}
