import Testing

@testable import HeadgateEnvironment

struct ProgramEnvironmentTests {
    private static let gateway = GatewayAddress(
        url: "http://127.0.0.1:8686", host: "127.0.0.1", isLoopback: true, key: "hg-key")

    private func environment(
        _ variables: [String: String], program: String = "python", secrets: Set<String> = [], kept: Set<String> = []
    ) -> ProgramEnvironment {
        ProgramEnvironment(
            variables, program: program, gateway: ProgramEnvironmentTests.gateway, secrets: secrets, kept: kept)
    }

    @Test func gatewayIsSetUnderEveryNameThatLibrariesRead() {
        let found = environment(["PATH": "/bin"])
        #expect(
            found.variables == [
                "PATH": "/bin", "OPENAI_BASE_URL": "http://127.0.0.1:8686/v1",
                "OPENAI_API_BASE": "http://127.0.0.1:8686/v1", "OPENAI_API_KEY": "hg-key",
                "ANTHROPIC_BASE_URL": "http://127.0.0.1:8686", "ANTHROPIC_API_KEY": "hg-key",
                "OLLAMA_HOST": "http://127.0.0.1:8686", "OLLAMA_API_KEY": "hg-key",
                "HEADGATE_URL": "http://127.0.0.1:8686", "HEADGATE_KEY": "hg-key",
            ])
        #expect(found.removed.isEmpty)
    }

    @Test(arguments: [
        "OPENAI_API_KEY_2", "OPENAI_API_KEYS", "OPENAI_ADMIN_KEY", "OPENAI_API_KEY_FILE", "OPENAI_API_BASE_URLS",
        "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_AUTH_TOKEN_FILE", "ANTHROPIC_CUSTOM_HEADERS", "CLAUDE_CODE_OAUTH_TOKEN",
        "CLAUDE_CODE_USE_BEDROCK", "AZURE_OPENAI_API_KEY", "AZURE_OPENAI_ENDPOINT", "AZURE_OPENAI_API_KEY_FILE",
        "GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_GEMINI_BASE_URL", "MISTRAL_API_KEY", "GROQ_API_KEY",
        "GROQ_BASE_URL",
        "AWS_BEARER_TOKEN_BEDROCK", "HF_TOKEN", "HUGGINGFACEHUB_API_TOKEN", "HUGGING_FACE_HUB_TOKEN",
        "OPENROUTER_API_KEY", "DEEPSEEK_API_KEY", "XAI_API_KEY", "REPLICATE_API_TOKEN", "CO_API_KEY",
        "TOGETHER_API_KEY", "PERPLEXITYAI_API_KEY", "NVIDIA_NIM_API_KEY", "WATSONX_APIKEY", "FRIENDLI_TOKEN",
        "WRITER_API_KEY", "AZURE_OPENAI_KEY", "MISTRAL_KEY", "COHERE_KEY", "DEEPSEEK_KEY", "OPENAI_KEY", "AZURE_AI_KEY",
        "OPENAI_KEY_2", "OPENAI_KEY2", "OPENAI_SECRET", "OPENAI_SECRET_KEY", "HF_API_KEY", "HF_API_TOKEN",
        "VOYAGEAI_API_KEY", "REKA_API_KEY", "KIMI_API_KEY", "QWEN_API_KEY", "AZURE_OPENAI_API_KEY_EASTUS",
        "OPENAI_API_KEY2", "VITE_OPENAI_API_KEY",
    ])
    func providersVariableIsRemoved(name: String) {
        let found = environment([name: "short"])
        #expect(found.variables[name] == nil)
        #expect(found.removed == [name])
    }

    @Test(arguments: [
        "PATH", "HOME", "LANG", "OPENAI_LOG", "OPENAI_ORG_ID", "ANTHROPIC_MODEL", "AWS_ACCESS_KEY_ID", "GITHUB_TOKEN",
        "MY_API_KEY", "WRITER_HOST", "LAMBDA_TOKEN", "LAMBDA_KEY", "REKA_HOST", "OPENAI", "SIXAI_API_KEY", "KEY",
        "KEY_FILE", "HOST", "HF_HOME", "GOOGLE_APPLICATION_CREDENTIALS",
        "HEADGATE_CONFIG", "_FILE", "",
        "_2",
    ])
    func otherVariableStays(name: String) {
        let found = environment([name: "value"])
        #expect(found.variables[name] == "value")
        #expect(found.removed.isEmpty)
    }

    @Test func realKeyIsReplacedAndNotCalledRemoved() {
        let found = environment(["OPENAI_API_KEY": "sk-real-0123456789abcdef", "ANTHROPIC_API_KEY": "sk-ant-x"])
        #expect(found.variables["OPENAI_API_KEY"] == "hg-key")
        #expect(found.removed.isEmpty)
        #expect(!found.variables.values.contains { $0.contains("sk-") })
    }

    @Test func secretsOfTheConfigurationAreRemovedByName() {
        let found = environment(["UPSTREAM": "x", "OTHER": "y"], secrets: ["UPSTREAM"])
        #expect(found.removed == ["UPSTREAM"])
        #expect(found.variables["OTHER"] == "y")
    }

    @Test func sameKeyUnderAnotherNameOrInsideAnotherValueIsRemoved() {
        let key = "0123456789abcdef-key"
        let found = environment(
            ["GROQ_API_KEY": key, "COPY": key, "HEADER": "Authorization: Bearer \(key)", "URL": "https://a.example"])
        #expect(found.removed == ["COPY", "GROQ_API_KEY", "HEADER"])
    }

    @Test func addressesAndPathsOfProvidersRemoveNothingElse() {
        let found = environment([
            "GROQ_BASE_URL": "https://api.groq.example/v1", "DOCS": "https://api.groq.example/v1/docs",
            "GROQ_API_KEY_FILE": "/run/secrets/keys/groq", "FILES": "/run/secrets/keys/groq.txt",
        ])
        #expect(found.removed == ["GROQ_API_KEY_FILE", "GROQ_BASE_URL"])
        let named = environment(
            ["PLACE": "/run/secrets/upstream", "LIST": "/run/secrets/upstream.txt"], secrets: ["PLACE"])
        #expect(named.removed == ["PLACE"])
    }

    @Test(arguments: [
        ("sk-proj-0123456789abcdefghij", true), ("gsk_0123456789abcdefghij", true),
        ("AIzaSy0123456789abcdefghij", true),
        ("sk-short", false), ("sk-0123456789 with spaces", false), ("0123456789abcdefghijklmn", false),
    ])
    func keyLikeValueIsRemovedUnderAnyName(value: String, isKey: Bool) {
        #expect(environment(["MINE": value]).removed == (isKey ? ["MINE"] : []))
    }

    @Test func keptVariableIsUnchanged() {
        let found = environment(
            ["OPENAI_API_KEY": "sk-real", "HF_TOKEN": "hf"], kept: ["HF_TOKEN", "OPENAI_API_KEY"])
        #expect(found.variables["HF_TOKEN"] == "hf")
        #expect(found.variables["OPENAI_API_KEY"] == "sk-real")
        #expect(found.removed.isEmpty)
        #expect(!found.set.contains("OPENAI_API_KEY"))
    }

    @Test(arguments: ["claude", "/usr/local/bin/claude"])
    func claudeCodeGetsATokenInsteadOfAKey(program: String) {
        let found = environment(["ANTHROPIC_API_KEY": "sk-ant-real", "ANTHROPIC_AUTH_TOKEN": "real"], program: program)
        #expect(found.variables["ANTHROPIC_AUTH_TOKEN"] == "hg-key")
        #expect(found.variables["ANTHROPIC_API_KEY"] == nil)
        #expect(found.removed == ["ANTHROPIC_API_KEY"])
    }

    @Test func gatewayIsExcludedFromTheProxy() {
        let none = environment([:])
        #expect(none.variables["NO_PROXY"] == nil)
        let bare = environment(["HTTPS_PROXY": "http://proxy:3128"])
        #expect(bare.variables["NO_PROXY"] == "127.0.0.1")
        #expect(bare.variables["no_proxy"] == "127.0.0.1")
        let listed = environment(["all_proxy": "socks5://p", "no_proxy": "a.example, 127.0.0.1"])
        #expect(listed.variables["no_proxy"] == "a.example, 127.0.0.1")
        #expect(listed.variables["NO_PROXY"] == "a.example, 127.0.0.1")
        let added = environment(["http_proxy": "http://p", "NO_PROXY": "a.example", "no_proxy": "*"])
        #expect(added.variables["NO_PROXY"] == "a.example,127.0.0.1")
        #expect(added.variables["no_proxy"] == "*")
    }

    @Test func remoteGatewayIsLeftToTheProxy() {
        let gateway = GatewayAddress(url: "https://llm.example", host: "llm.example", isLoopback: false, key: "k")
        let found = ProgramEnvironment(["HTTPS_PROXY": "http://p"], program: "x", gateway: gateway)
        #expect(found.variables["NO_PROXY"] == nil)
    }
}
