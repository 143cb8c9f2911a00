import HeadgateConfiguration
import HeadgatePrimitives
import Testing

/// Swift regards canonically equivalent texts as equal. Names with different bytes are different names.
@Suite struct CanonicalNamesTests {
    private static let digests = ["a", "b"].map { String(repeating: $0, count: 64) }

    @Test func equivalentNamesAreDistinct() throws {
        let configuration = try parse(
            """
            upstreams: {u: {kind: on-device, parameters: {defaults: {"caf\u{E9}": 1}, overrides: {"cafe\u{301}": 2}}}}
            models: {"caf\u{E9}": {upstream: u}, "cafe\u{301}": {upstream: u, parameters: {strip: ["caf\u{E9}"]}}}
            keys:
            - {name: "caf\u{E9}", sha256: \(Self.digests[0])}
            - {name: "cafe\u{301}", sha256: \(Self.digests[1])}
            """)
        #expect(configuration.models.count == 2 && configuration.keys.count == 2)
        let rules = configuration.models[1].targets[0].parameters
        #expect(rules.defaults.isEmpty && rules.overrides.count == 1)
    }

    @Test func sameNamesAreStillOne() {
        #expect(
            issues("models: {\"caf\u{E9}\": {upstream: on-device}, \"caf\u{E9}\": {upstream: on-device}}").count == 1)
    }

    @Test func referencesAreReadByTheirBytes() {
        let text = "upstreams: {Kimi: {kind: on-device}}\nmodels: {m: {upstream: \"%imi\"}}"
        #expect(issues(text.replacing("%", with: "K")).isEmpty)
        #expect(issues(text.replacing("%", with: "\u{212A}")).count == 1)
    }

    /// A reload reuses only what is equal byte for byte.
    @Test func changeOfBytesIsAChange() throws {
        func upstream(_ value: String) throws -> UpstreamConfiguration {
            try parse(
                "upstreams: {u: {kind: openai, base_url: 'https://h/v1', headers: {A: \"\(value)\"}, "
                    + "parameters: {defaults: {\"\(value)\": 1}}}}"
            ).upstreams[0]
        }
        let (composed, decomposed) = (try upstream("caf\u{E9}"), try upstream("cafe\u{301}"))
        #expect(composed != decomposed && composed == composed)
        #expect(composed.headers != decomposed.headers)
        #expect(composed.parameters != decomposed.parameters)
    }

    @Test func lowerCaseIsThatOfASCII() {
        #expect("\u{212A}AB\u{130}é".lowercasedASCII == "\u{212A}ab\u{130}é")
        #expect("o\u{600}*".patternPrefix == "o\u{600}" && "o*\u{301}".patternPrefix == nil && "".patternPrefix == nil)
    }
}
