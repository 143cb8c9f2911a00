import HeadgateConfiguration
import HeadgateTesting
import Testing

/// Several keys of one upstream.
@Suite struct APIKeysTests {
    private func text(_ fields: String) -> String {
        "upstreams:\n  u: {kind: openai, base_url: 'https://h', \(fields)}"
    }

    private func keys(_ fields: String, _ environment: [String: String] = [:]) throws -> [Secret] {
        try parse(text(fields), environment: environment).upstreams[0].apiKeys
    }

    @Test func keysKeepTheirOrderAndCanBeFiles() throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("key", "from-a-file\n")
        #expect(
            try keys("api_keys: ['${A}', plain, {file: \(file)}]", ["A": "from-a-variable"])
                == [Secret("from-a-variable"), Secret("plain"), Secret("from-a-file")])
        #expect(try keys("api_key: k") == keys("api_keys: [k]"))
    }

    @Test(arguments: [
        ("api_keys: []", "54: error: api_keys: the list is empty: put a key into it, or remove it"),
        (
            "api_keys: hunter2",
            "54: error: api_keys: found text, expected a list of keys such as [\"${KEY_A}\", \"${KEY_B}\"]"
        ),
        (
            "api_keys: [hunter2, other, hunter2]",
            "71: error: api_keys: the same key as at line 2, column 55: keep one of them"
        ),
        (
            "api_keys: [hunter2, 'hunter2 x']",
            "64: error: api_keys: the key holds a space, a line break or another character that no key has, or is above 8 KiB: copy it again"
        ),
        ("api_keys: ['']", "55: error: api_keys: the key is empty: set it, or remove it"),
        ("api_key: hunter2, api_keys: [other]", "44: error: api_key: api_keys is there too: put the key into its list"),
    ])
    func mistakesAreNamedWithoutTheKeys(_ fields: String, _ issue: String) {
        let found = issues(text(fields))
        #expect(found == ["t.yaml:2:\(issue)"])
        #expect(!found.joined().contains("hunter2"))
    }

    @Test func keysFromDifferentPlacesAreTheSameByValue() {
        let found = issues(text("api_keys: ['${A}', '${B}']"), environment: ["A": "hunter2", "B": "hunter2"])
        #expect(found == ["t.yaml:2:63: error: api_keys: the same key as at line 2, column 55: keep one of them"])
    }

    @Test func thirtyTwoKeysAreEnough() throws {
        func list(_ count: Int) -> String { "api_keys: [\((0..<count).map { "k\($0)" }.joined(separator: ", "))]" }
        #expect(try keys(list(32)).count == 32)
        #expect(issues(text(list(33))) == ["t.yaml:2:44: error: api_keys: 33 are too many: keep at most 32"])
    }

    @Test func builtInModelTakesNone() {
        #expect(
            issues("upstreams: {u: {kind: on-device, api_keys: [k]}}") == [
                "t.yaml:1:34: error: api_keys: the built-in model (kind: on-device) takes none: remove it"
            ])
    }

    @Test func noKeyIsExplainedAndEachVariableIsASecret() throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("key", "hunter4")
        let path = try folder.file("h.yaml", text("api_keys: ['${A}', hunter3, {file: '${F}'}]"))
        let environment = ["A": "hunter2", "F": file]
        let settings = try Configuration.explain(path: path, environment: environment).filter {
            $0.path.contains("api_keys")
        }
        #expect(settings.map(\.path) == (0..<3).map { "upstreams.u.api_keys[\($0)]" })
        #expect(settings.allSatisfy { $0.value == "<redacted>" })
        #expect(!settings.contains { $0.origin.contains("hunter") })
        #expect(try Configuration.secretVariables(path: path, environment: environment) == ["A", "F"])
    }
}
