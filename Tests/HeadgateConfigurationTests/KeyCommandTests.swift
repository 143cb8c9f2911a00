import HeadgateConfiguration
import HeadgateTesting
import Testing

/// `api_key: {command: ...}`.
@Suite struct KeyCommandTests {
    private func text(_ key: String) -> String {
        "upstreams:\n  u: {kind: openai, base_url: 'https://h', api_key: \(key)}"
    }

    private func command(_ key: String, _ environment: [String: String] = [:]) throws -> KeyCommandConfiguration? {
        let upstream = try parse(text(key), environment: environment).upstreams[0]
        #expect(upstream.apiKeys.isEmpty == (upstream.keyCommand != nil))
        return upstream.keyCommand
    }

    @Test func commandHasDefaults() throws {
        #expect(
            try command("{command: [gcloud, auth, print-access-token]}")
                == KeyCommandConfiguration(arguments: ["gcloud", "auth", "print-access-token"]))
        #expect(
            try command("{command: [p], every: 45m, timeout: 2m}")
                == KeyCommandConfiguration(arguments: ["p"], every: .seconds(45 * 60), timeout: .seconds(120)))
        #expect(try command("plain") == nil)
    }

    @Test(arguments: ["[VAULT_ADDR]", "{VAULT_ADDR: '${VAULT_ADDR}'}"])
    func variablesAreListedOrMapped(_ env: String) throws {
        let found = try command("{command: [p], env: \(env)}", ["VAULT_ADDR": "https://v", "OTHER": "o"])
        #expect(found?.environment == [CommandConfiguration.Variable(name: "VAULT_ADDR", value: Secret("https://v"))])
    }

    @Test func variableThatIsNotSetIsAWarning() throws {
        #expect(
            try warnings(text("{command: [p], env: [GONE]}")).contains {
                $0.hasSuffix("warning: api_key: env: the variable \"GONE\" is not set")
            })
    }

    @Test(arguments: [
        ("{command: []}", "63: error: command: the list is empty: name the program"),
        ("{command: p}", "63: error: command: found text, expected a list of the program and its arguments"),
        (
            "{command: [p], timeout: 6m}",
            "77: error: timeout: found \"6m\", expected a duration such as 10s or 1m (above zero, at most 5m)"
        ),
        (
            "{command: [p], every: 10ms}",
            "75: error: every: found \"10ms\", expected a duration such as 5s, 2m or 1h (at least 1s, at most 24h)"
        ),
        (
            "{command: [p], file: /f}",
            "68: error: unknown key \"file\": api_key takes command, env, every, timeout"
        ),
        ("{comand: [p]}", "54: error: unknown key \"comand\": did you mean \"command\"?"),
        ("{every: 1h}", "44: error: api_key has no command: add command: [program, argument]"),
        (
            "{command: [p]}, api_keys: [k]",
            "44: error: api_key: a command takes the place of all keys: remove api_keys"
        ),
    ])
    func mistakesAreNamed(_ key: String, _ issue: String) {
        #expect(issues(text(key)) == ["t.yaml:2:\(issue)"])
    }

    @Test func commandIsNotOneOfSeveralKeys() {
        let found = issues("upstreams: {u: {kind: openai, base_url: 'https://h', api_keys: [{command: [p]}]}}")
        #expect(found.contains { $0.contains("unknown key \"command\"") })
    }

    @Test func explanationNamesTheProgramAndNoSecret() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file(
            "h.yaml", text("{command: [gcloud, '${ARGUMENT}'], env: {TOKEN: '${T}'}, timeout: 3s}"))
        let settings = try Configuration.explain(path: path, environment: ["ARGUMENT": "hunter2", "T": "hunter3"])
            .filter { $0.path.contains("api_key") }.map { "\($0.path): \($0.value)" }
        #expect(
            settings == [
                "upstreams.u.api_key: from command gcloud",
                "upstreams.u.api_key.command: [gcloud, ${ARGUMENT}]",
                "upstreams.u.api_key.every: before its key expires, and after the upstream refuses the key",
                "upstreams.u.api_key.timeout: 3s", "upstreams.u.api_key.env.TOKEN: <redacted>",
            ])
    }
}
