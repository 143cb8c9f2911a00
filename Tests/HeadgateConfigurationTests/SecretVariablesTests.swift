import HeadgateTesting
import Testing

@testable import HeadgateConfiguration

struct SecretVariablesTests {
    private func names(_ text: String, _ environment: [String: String]) throws -> Set<String> {
        let folder = try TemporaryFolder()
        let path = try folder.file("headgate.yaml", text)
        return try Configuration.secretVariables(path: path, environment: environment)
    }

    @Test func secretsAndTheNamesOfTheirFilesCountAndNothingElse() throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("secret", "from-a-file")
        let environment = [
            "PORT": "1234", "HOST": "127.0.0.1:9", "KEY": "k", "FILE": file, "USER": "u:p", "OPENAI_API_KEY": "unused",
        ]
        let found = try names(
            """
            listen: 127.0.0.1:${PORT}
            upstreams:
              a: {kind: openai, base_url: "http://${HOST}/v1", api_key: "${KEY}", headers: {X-Team: "${TEAM:-none}"}}
              b:
                kind: openai
                base_url: "http://127.0.0.1:1/v1"
                api_key: {file: "${FILE}"}
                proxy: "http://${USER}@127.0.0.1:2"
            models: {"*": {upstream: a}}
            """, environment)
        #expect(found == ["KEY", "TEAM", "FILE", "USER"])
    }

    @Test func withoutAFileTheyAreTheKeysInTheEnvironment() throws {
        let environment = [
            "OPENAI_API_KEY": "k", "OPENAI_BASE_URL": "http://127.0.0.1:1/v1", "OLLAMA_HOST": "127.0.0.1",
        ]
        #expect(try Configuration.secretVariables(path: nil, environment: environment) == ["OPENAI_API_KEY"])
    }

    @Test func partsOfASecretCountAlsoIfAnotherPartIsNotSet() throws {
        let text = """
            upstreams:
              a: {kind: openai, base_url: "http://127.0.0.1:1/v1", api_key: "${FIRST}-${SECOND}"}
            """
        #expect(try names(text, ["FIRST": "k"]) == ["FIRST", "SECOND"])
    }

    @Test func clientCommandsNeedTheAddressAndNoSecret() throws {
        var surroundings = Surroundings { _, _ in nil }
        surroundings.hasSecrets = false
        let rest = """
            upstreams:
              a: {kind: openai, base_url: "${BASE}", api_key: "${KEY}"}
              b: {kind: anthropic, base_url: "http://127.0.0.1:1", api_key: {file: /nowhere/key}}
            models: {m: {upstream: a}, n: {upstream: b}}
            """
        let configuration = try Configuration.check(
            text: "listen: 127.0.0.1:7000\n" + rest, file: "t.yaml", environment: [:], surroundings: surroundings
        ).configuration
        #expect(configuration.listeners.map(\.address.port) == [7000])
        #expect(configuration.models.map(\.name) == ["m", "n"])
        #expect(throws: ConfigurationError.self) {
            try Configuration.check(
                text: "listen: 127.0.0.1:${PORT}\n" + rest, file: "t.yaml", environment: [:], surroundings: surroundings
            )
        }
    }
}
