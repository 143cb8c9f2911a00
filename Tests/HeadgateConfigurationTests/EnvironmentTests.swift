import HeadgateConfiguration
import Testing

@Suite struct EnvironmentTests {
    @Test func withoutVariablesTheBuiltInModelIsServed() throws {
        let configuration = try Configuration.fromEnvironment([:])
        #expect(
            configuration
                == Configuration(
                    upstreams: [UpstreamConfiguration(name: "on-device", kind: .onDevice)],
                    models: [ModelConfiguration(name: "smollm2", upstream: "on-device")]))
        #expect(try parse("") == configuration)
    }

    @Test func aKeyMakesOneUpstreamForEveryModel() throws {
        let configuration = try Configuration.fromEnvironment(["OPENAI_API_KEY": "sk-1"])
        #expect(
            configuration.upstreams == [
                UpstreamConfiguration(
                    name: "openai", kind: .openai, baseURL: try UpstreamURL(parsing: "https://api.openai.com/v1"),
                    apiKey: Secret("sk-1"))
            ])
        #expect(configuration.models == [ModelConfiguration(name: "*", upstream: "openai")])
    }

    @Test func aBaseURLAloneNeedsNoKey() throws {
        let configuration = try Configuration.fromEnvironment(["OPENAI_BASE_URL": "http://localhost:8080/v1"])
        #expect(configuration.upstreams.map(\.kind) == [.openai])
        #expect(configuration.upstreams[0].baseURL?.port == 8080)
        #expect(configuration.upstreams[0].apiKeys.isEmpty)
    }

    @Test func listenIsOverriddenWithAndWithoutAFile() throws {
        let environment = ["HEADGATE_LISTEN": "0.0.0.0:80"]
        #expect(try Configuration.fromEnvironment(environment).listeners[0].address.description == "0.0.0.0:80")
        #expect(
            try parse("listen: 127.0.0.1:1", environment: environment).listeners[0].address.description == "0.0.0.0:80")
    }

    @Test func aFileWithoutUpstreamsUsesTheEnvironments() throws {
        let environment = ["OPENAI_API_KEY": "sk-1"]
        #expect(try parse("loops: 1", environment: environment).models.map(\.name) == ["*"])
        let named = try parse("models: {fast: {upstream: openai}}", environment: environment)
        #expect(named.upstreams.map(\.name) == ["openai"])
        #expect(named.models.map(\.name) == ["fast"])
    }

    @Test func aFileWithUpstreamsIgnoresTheEnvironments() throws {
        let text = "upstreams: {a: {kind: on-device}}"
        #expect(try parse(text, environment: ["OPENAI_API_KEY": ""]).upstreams.map(\.name) == ["a"])
    }

    @Test func badVariablesAreAllReportedWithoutTheirValues() throws {
        let error = #expect(throws: ConfigurationError.self) {
            try Configuration.fromEnvironment([
                "OPENAI_API_KEY": "", "OPENAI_BASE_URL": "https://u:hunter2@h", "HEADGATE_LISTEN": "hunter2",
            ])
        }
        #expect(
            error?.issues.map(\.description) == [
                "environment: error: HEADGATE_LISTEN: expected an IP address or localhost as the host, "
                    + "such as 127.0.0.1:8686",
                "environment: error: OPENAI_BASE_URL: user and password in the URL are refused: "
                    + "put the key into api_key",
                "environment: error: OPENAI_API_KEY: the variable is empty: give it a value, or unset it",
            ])
    }

    private func upstream(_ environment: [String: String]) throws -> UpstreamConfiguration {
        let configuration = try Configuration.fromEnvironment(environment)
        #expect(configuration.upstreams.count == 1)
        #expect(configuration.models.map(\.name) == ["*"])
        return configuration.upstreams[0]
    }

    @Test func anthropicNeedsItsKey() throws {
        let standard = try upstream(["ANTHROPIC_API_KEY": "sk-a"])
        #expect(standard.kind == .anthropic)
        #expect(standard.apiKeys == [Secret("sk-a")])
        #expect(standard.baseURL?.description == "https://api.anthropic.com/v1")
        let own = try upstream(["ANTHROPIC_API_KEY": "sk-a", "ANTHROPIC_BASE_URL": "https://h/anthropic"])
        #expect(own.baseURL?.description == "https://h/anthropic/v1")
        #expect(try Configuration.fromEnvironment(["ANTHROPIC_BASE_URL": "https://h"]).upstreams[0].kind == .onDevice)
    }

    @Test func azureNeedsItsKeyAndItsEndpoint() throws {
        var environment = ["AZURE_OPENAI_API_KEY": "k", "AZURE_OPENAI_ENDPOINT": "https://me.openai.azure.com/"]
        #expect(try upstream(environment).baseURL?.description == "https://me.openai.azure.com/openai/v1")
        environment["OPENAI_API_VERSION"] = "2024-10-21"
        let classic = try upstream(environment)
        #expect(classic.baseURL?.description == "https://me.openai.azure.com/openai")
        #expect(classic.apiVersion == "2024-10-21")
        for missing in ["AZURE_OPENAI_API_KEY", "AZURE_OPENAI_ENDPOINT"] {
            let error = #expect(throws: ConfigurationError.self) {
                try Configuration.fromEnvironment(environment.filter { $0.key != missing })
            }
            #expect(error?.description.contains("is set without \(missing)") == true)
        }
    }

    @Test(arguments: [
        ("127.0.0.1", "http://127.0.0.1:11434/v1"), ("localhost:1", "http://localhost:1/v1"),
        ("0.0.0.0", "http://127.0.0.1:11434/v1"), ("http://0.0.0.0:8000/", "http://127.0.0.1:8000/v1"),
        (":9", "http://127.0.0.1:9/v1"), ("[::]:9", "http://[::1]:9/v1"), ("http://localhost", "http://localhost/v1"),
        ("https://ollama.example", "https://ollama.example/v1"), ("gpu.lan", "http://gpu.lan:11434/v1"),
        ("192.168.1.5:11434", "http://192.168.1.5:11434/v1"),
    ])
    func ollamaVariableIsReadAsByItsOwnClient(_ host: String, _ url: String) throws {
        let ollama = try upstream(["OLLAMA_HOST": host])
        #expect(ollama.name == "ollama")
        #expect(ollama.kind == .openai)
        #expect(ollama.baseURL?.description == url)
        #expect(ollama.allowsPrivateAddresses == (ollama.baseURL?.isLoopback == false))
    }

    @Test(arguments: ["", "u:p@h", "a b", "h:0", "http://h/path", "ftp://h"])
    func otherOllamaHostsAreRefused(_ host: String) {
        #expect(throws: ConfigurationError.self) { try Configuration.fromEnvironment(["OLLAMA_HOST": host]) }
    }

    @Test func severalProvidersShareTheModels() throws {
        let all = [
            "OPENAI_API_KEY": "a", "ANTHROPIC_API_KEY": "b", "AZURE_OPENAI_API_KEY": "c",
            "AZURE_OPENAI_ENDPOINT": "https://me.openai.azure.com", "OLLAMA_HOST": "localhost",
        ]
        let configuration = try Configuration.fromEnvironment(all)
        #expect(configuration.upstreams.map(\.name) == ["openai", "anthropic", "azure", "ollama"])
        #expect(
            configuration.models.map { "\($0.name) \($0.targets[0].upstream)" } == ["* openai", "claude-* anthropic"])
        let two = try Configuration.fromEnvironment(["ANTHROPIC_API_KEY": "b", "OLLAMA_HOST": "localhost"])
        #expect(two.models.map { "\($0.name) \($0.targets[0].upstream)" } == ["claude-* anthropic", "* ollama"])
    }
}
