import Testing

@testable import HeadgateConfiguration

/// Agreement of the schema with the decoder about keys that exclude or need each other.
@Suite struct SchemaTests {
    private let schema: JSONSchema

    init() throws {
        schema = try JSONSchema.ofConfiguration()
    }

    @Test(arguments: [
        ("{upstream: a}", true), ("{upstream: a, model: m}", true), ("{targets: [{upstream: a}]}", true),
        ("{}", false), ("{model: m}", false), ("{targets: []}", false), ("{targets: [{model: m}]}", false),
        ("{targets: [{upstream: a}], upstream: a}", false), ("{targets: [{upstream: a}], model: m}", false),
        ("{upstream: a, choose: weighted, affinity: 'header:x'}", true), ("{upstream: a, affinity: other}", false),
        ("{upstream: a, retry: {attempts: 3, budget: 5%, on: [connect, 429, '529', 5xx]}}", true),
        ("{upstream: a, retry: {on: [200]}}", false), ("{upstream: a, retry: {on: []}}", false),
        ("{upstream: a, retry: {budget: 5}}", false), ("{upstream: a, retry: {attempts: 11}}", false),
        ("{upstream: a, timeouts: {total: 1s, first_content: 1s}}", true),
    ])
    func modelsAgreeWithTheDecoder(_ model: String, _ isValid: Bool) {
        check("upstreams: {a: {kind: on-device}}\nmodels: {x: \(model)}", isValid)
    }

    @Test(arguments: [
        ("api_key: a", true), ("api_keys: [a, b]", true), ("api_keys: []", false), ("api_keys: a", false),
        ("api_key: a, api_keys: [b]", false), ("timeouts: {total: 1s}", false), ("timeouts: {first_content: 1s}", true),
        ("health: {path: models}", false), ("health: {}, breaker: {}, local: false, max_in_flight: 1", true),
    ])
    func upstreamsAgreeWithTheDecoder(_ fields: String, _ isValid: Bool) {
        check("upstreams: {a: {kind: openai, base_url: 'https://h', \(fields)}}", isValid)
    }

    private func check(_ text: String, _ isValid: Bool) {
        var found = IssueList(file: "")
        let root = YAMLComposer.compose(Array(text.utf8), issues: &found)
        #expect(root.map { schema.accepts(JSONInstance($0)) } == isValid)
        #expect(issues(text).isEmpty == isValid)
    }
}
