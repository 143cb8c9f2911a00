import HeadgateConfiguration
import Testing

@Suite struct SecretTests {
    private static let text = "hunter2-hunter2"

    private func renderings(_ value: some Any) -> [String] {
        var dumped = ""
        dump(value, to: &dumped)
        return ["\(value)", String(describing: value), String(reflecting: value), dumped]
    }

    @Test func aSecretIsNeverPrinted() {
        let secret = Secret(Self.text)
        #expect("\(secret)" == "<redacted>")
        #expect(secret.debugDescription == "<redacted>")
        for rendering in renderings(secret) + renderings(Optional(secret)) + renderings([secret]) {
            #expect(rendering.contains("<redacted>"))
            #expect(!rendering.contains("hunter2"))
        }
    }

    @Test func aConfigurationIsPrintedWithoutKeysAndHeaderValues() throws {
        let text = """
            upstreams:
              u: {kind: openai, base_url: "https://h", api_key: "${S}", headers: {X-Key: "${S}"},
                  proxy: "http://u:${S}@p:1"}
              c: {kind: openai, base_url: "http://[::1]:1", command: {run: [a], env: {A: "${S}"}}}
            models: {m: {upstream: u}}
            """
        let configuration = try parse(text, environment: ["S": Self.text])
        for rendering in renderings(configuration) {
            #expect(rendering.contains("X-Key"))
            #expect(!rendering.contains("hunter2"))
        }
    }

    @Test(arguments: [
        "listen: ${S}", "loops: ${S}", "upstreams: ${S}", "upstreams: {u: '${S}'}", "upstreams: {u: {kind: '${S}'}}",
        "upstreams: {u: {kind: on-device, base_url: 'https://a:${S}@h'}}", "models: {m: {upstream: '${S}'}}",
        "upstreams: {u: {kind: on-device, api_key: '${S} ${S}'}}", "keys: ['${S}']",
        "keys: [{name: a, sha256: '${S}'}]",
        "upstreams: {u: {kind: on-device, api_key: ['${S}']}}", "limits: {body: '${S}'}",
        "upstreams: {u: {kind: on-device, headers: {A: \"${S}\\n\"}}}", "keys: [{name: a, expires: '${S}'}]",
        "upstreams: {u: {kind: on-device, base_url: 'https://a:hunter2-hunter2@h'}}",
        "upstreams: {u: {kind: on-device, api_key: 'hunter2 hunter2'}}", "keys: [{name: a, sha256: hunter2}]",
        "upstreams: {u: {kind: on-device, api_key: {file: '${S}'}}}",
        "upstreams: {u: {kind: on-device, proxy: '${S}'}}",
        "upstreams: {u: {kind: openai, base_url: 'http://[::1]:1', command: {run: [\"hunter2\\0\"]}}}",
        "upstreams: {u: {kind: openai, base_url: 'http://[::1]:1', command: {run: [a], env: {A: \"hunter2\\0\"}}}}",
        "upstreams: {u: {kind: on-device, parameters: {defaults: {a: '${S}', model: hunter2}}}}",
        "upstreams: {u: {kind: on-device, api_key: hunter2$}}", "upstreams: {u: {kind: on-device, api_key: [hunter2]}}",
    ])
    func noIssueRepeatsASecret(_ text: String) {
        let found = issues(text, environment: ["S": Self.text])
        #expect(!found.isEmpty)
        #expect(!found.joined().contains("hunter2"))
    }

    @Test func anEmptySecretNamesItsVariable() {
        let text = "upstreams: {u: {kind: openai, base_url: 'https://h', api_key: '${S}'}}"
        #expect(
            issues(text, environment: ["S": ""]) == [
                "t.yaml:1:63: error: api_key: the variable S is empty: give it a value"
            ])
    }

    @Test func secretsCompareByTheirBytes() {
        #expect(Secret("abc") == Secret([0x61, 0x62, 0x63]))
        #expect(Secret("abc") != Secret("abd"))
        #expect(Secret("abc") != Secret("ab"))
        #expect(Secret("ab") != Secret("ab\0"))
        #expect(Secret("") == Secret(""))
    }

    @Test func theBytesAreRevealed() {
        #expect(Secret("abc").reveal() == "abc")
    }
}
