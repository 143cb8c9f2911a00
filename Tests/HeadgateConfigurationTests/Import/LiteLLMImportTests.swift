import Testing

@testable import HeadgateConfiguration

@Suite struct LiteLLMImportTests {
    private static let source = """
        model_list:
          - model_name: gpt-4o
            litellm_params: {model: azure/eu, api_base: "https://eu.openai.azure.com", api_key: sk-secret-one, rpm: 30}
          - model_name: gpt-4o
            litellm_params: {model: openai/gpt-4o, api_key: os.environ/OPENAI_API_KEY, rpm: 10, order: 1}
          - model_name: "*"
            litellm_params: {model: "*", extra_headers: {authorization: "Bearer secret-two"}}
        litellm_settings:
          fallbacks: [{"*": ["gpt-4o"]}]
          num_retries: 3
        """

    private func imported(_ text: String, environment: [String: String] = [:]) throws -> LiteLLMImport {
        try LiteLLMImport(Array(text.utf8), file: "config.yaml", environment: environment) { Self.digest(of: $0) }
    }

    /// Returns as many digits as SHA-256, which depend only on the key's length.
    private static func digest(of key: String) -> String { String(repeating: "ab", count: 31) + hex(key.utf8.count) }

    private static func hex(_ count: Int) -> String { (count < 16 ? "0" : "") + String(count, radix: 16) }

    private func models(_ text: String) throws -> [ModelConfiguration] {
        try Configuration.parse(
            text: try imported(text).text, file: "f", environment: ["OPENAI_API_KEY": "x", "OPENROUTER_API_KEY": "x"]
        ).models
    }

    private func target(_ params: String) throws -> (LiteLLMImport, UpstreamConfiguration?) {
        let result = try imported("model_list: [{model_name: m, litellm_params: {\(params)}}]")
        try result.check()
        let environment = ["X": "x", "OPENAI_API_KEY": "x", "ANTHROPIC_API_KEY": "x", "GROQ_API_KEY": "x"]
        guard result.text.contains("models:") else { return (result, nil) }
        return (
            result, try Configuration.parse(text: result.text, file: "f", environment: environment).upstreams.first
        )
    }

    /// A truncated or unfinished file is read up to its end or refused.
    @Test func everyPrefixOfAFileIsReadOrRefusedWithoutASecret() throws {
        let bytes = Array(Self.source.utf8)
        for count in 0...bytes.count {
            guard
                let result = try? LiteLLMImport(
                    Array(bytes[..<count]), file: "config.yaml", digest: { Self.digest(of: $0) })
            else { continue }
            var issues = IssueList(file: "written")
            #expect(YAMLComposer.compose(Array(result.text.utf8), issues: &issues) != nil && issues.isEmpty, "\(count)")
            #expect(!result.text.contains("secret-") && !"\(result.notes)".contains("secret-"), "\(count)")
        }
        try imported(Self.source).check()
    }

    @Test(arguments: [
        ("model: openai/gpt-4o, api_key: os.environ/X", "openai", "https://api.openai.com/v1"),
        ("model: gpt-4o", "openai", "https://api.openai.com/v1"),
        ("model: claude-sonnet-4-5", "anthropic", "https://api.anthropic.com/v1"),
        ("model: groq/llama-3.3-70b-versatile", "groq", "https://api.groq.com/openai/v1"),
        ("model: openai/x, api_base: 'http://localhost:8000/v1/'", "openai", "http://localhost:8000/v1"),
        (
            "model: some-model, api_base: 'https://llm.corp.example/v1', api_key: os.environ/X", "openai-llm",
            "https://llm.corp.example/v1"
        ),
        ("model: ollama/llama3.2, api_base: 'http://10.0.0.7:11434'", "ollama", "http://10.0.0.7:11434/v1"),
        ("model: hosted_vllm/Qwen/Qwen3-8B, api_base: 'http://vllm:8000/v1'", "vllm", "http://vllm:8000/v1"),
        (
            "model: 'azure/eu', api_base: 'https://corp.openai.azure.com/', api_key: os.environ/X", "azure-corp",
            "https://corp.openai.azure.com/openai/v1"
        ),
    ])
    func modelNameSelectsItsProvider(params: String, name: String, url: String) throws {
        let (_, upstream) = try target(params)
        #expect(upstream?.name == name && upstream?.baseURL?.description == url)
    }

    @Test(arguments: ["model: bedrock/x", "model: vertex_ai/gemini-pro", "model: nobody-knows", "model: hosted_vllm/x"])
    func unreachableModelsAreOmittedAndNoted(params: String) throws {
        let (result, upstream) = try target(params)
        #expect(upstream == nil)
        #expect(result.notes.contains { $0.message.contains("is left out") && $0.position?.line == 1 })
    }

    @Test func deploymentsOfOneKeyAndAddressShareAnUpstream() throws {
        let result = try imported(
            """
            model_list:
            - {model_name: a, litellm_params: {model: openai/a, api_key: os.environ/ONE}}
            - {model_name: b, litellm_params: {model: openai/b, api_key: os.environ/ONE}}
            - {model_name: c, litellm_params: {model: openai/c, api_key: os.environ/TWO}}
            """)
        let configuration = try Configuration.parse(
            text: result.text, file: "f", environment: ["ONE": "1", "TWO": "2"])
        #expect(configuration.upstreams.map(\.name) == ["openai", "openai-2"])
        #expect(configuration.models.map { $0.targets[0].upstream } == ["openai", "openai", "openai-2"])
    }

    @Test func plainSecretsGetUniqueVariables() throws {
        let result = try imported(
            """
            model_list:
            - {model_name: a, litellm_params: {model: openai/a, api_key: os.environ/OPENAI_API_KEY}}
            - {model_name: b, litellm_params: {model: openai/b, api_key: abc, api_base: "http://localhost:1/v1"}}
            - {model_name: c, litellm_params: {model: xai/c, api_key: def}}
            """)
        #expect(result.text.contains("${OPENAI_2_API_KEY}") && result.text.contains("${XAI_API_KEY}"))
        #expect(result.notes.map { $0.position?.line } == [3, 4])
        #expect(!result.text.contains("abc") && !result.text.contains("def"))
    }

    @Test(arguments: [
        "https://user:secret-a@llm.example/v1", "https://secret-a@llm.example/v1",
        "https://user:secret@-a@llm.example/v1",
        "https://user:secret-a/b@llm.example/v1", "https://user:secret-a?b@llm.example/v1?c=secret-d",
    ])
    func credentialsOfAnAddressAreLeftOutAndNoted(url: String) throws {
        let (result, upstream) = try target("model: openai/m, api_key: os.environ/X, api_base: '\(url)'")
        #expect(upstream?.baseURL?.description == "https://llm.example/v1")
        #expect(!result.text.contains("secret"))
        #expect(result.notes.contains { $0.message.contains("what api_base holds besides the address") })
    }

    @Test(arguments: ["https://llm.example/@team/v1", "https://llm.example:8443/a@b/v1"])
    func signOfAPathStays(url: String) throws {
        let (result, _) = try target("model: openai/m, api_base: '\(url)'")
        #expect(result.text.contains("base_url: \(url)") || result.text.contains("base_url: \"\(url)\""))
    }

    @Test(arguments: ["X-Pass", "x-credential-id", "X-Session", "X-Signature", "X-Auth"])
    func headerThatIsSecretByItsNameIsNotCopied(name: String) throws {
        let result = try imported(
            "model_list: [{model_name: m, litellm_params: {model: openai/m, extra_headers: {\(name): abc}}}]")
        try result.check()
        let variable = "OPENAI_" + name.uppercased().replacing("-", with: "_")
        #expect(!result.text.contains("abc") && result.text.contains("${\(variable)}"))
    }

    @Test func sharesOfAnySizeAreScaled() throws {
        func weights(_ first: String, _ second: String) throws -> [Int] {
            let result = try imported(
                """
                model_list:
                - {model_name: m, litellm_params: {model: openai/a, api_key: os.environ/X, weight: \(first)}}
                - {model_name: m, litellm_params: {model: openai/b, api_key: os.environ/X, weight: \(second)}}
                """)
            return try Configuration.parse(text: result.text, file: "f", environment: ["X": "x"])
                .models[0].targets.map(\.weight)
        }
        #expect(try weights("1e308", "5e307") == [2, 1])
        #expect(try weights("1e306", "1") == [1000, 1])
    }

    @Test func namesOfAPrefixStayWithItsProvider() throws {
        let models = try models(
            """
            model_list:
            - {model_name: "openai/*", litellm_params: {model: "openai/*"}}
            - {model_name: "*", litellm_params: {model: "openrouter/*"}}
            """)
        func upstream(_ name: String) -> String? { models.first { $0.name == name }?.targets.first?.upstream }
        #expect(upstream("openai/*") == "openai" && upstream("gpt-*") == "openai" && upstream("*") == "openrouter")
    }

    @Test(arguments: [
        ("weight: x", "weight, which is not a number"), ("rpm: 60.5", "rpm, which is not a whole number"),
        ("tpm: 0", "tpm, which is not a whole number from 1"),
        ("api_version: '2024-10-21'", "api_version, which only Azure has"),
        ("custom_llm_provider: nobody", "custom_llm_provider, which is none that is known here"),
        ("litellm_credential_name: nobody", "credential_list has no \"nobody\""),
        ("timeout: 1, request_timeout: 2", "request_timeout, which says another number than its other name"),
        ("max_retries: 12", "retries after the ninth"), ("mock_response: x", "\"mock_response\" of litellm_params"),
    ])
    func untranslatedSettingIsNoted(setting: String, words: String) throws {
        let result = try imported(
            "model_list: [{model_name: m, litellm_params: {model: openai/m, \(setting)}}]")
        #expect(result.notes.contains { $0.message.contains(words) }, "\(result.notes)")
    }

    @Test(arguments: [
        ("rpm: 5", "", "rpm, which not all of its deployments have"),
        ("tpm: 5", "rpm: 7", "tpm, which not all of its deployments have"),
        ("max_parallel_requests: 5", "", "max_parallel_requests, which not all of its deployments have"),
        ("timeout: 5", "timeout: 6", "timeout, which differs"),
        ("stream_timeout: 5", "", "stream_timeout, which differs"),
        ("max_retries: 3", "num_retries: 2", "max_retries, which differs"),
        ("weight: 3", "rpm: 5", "a deployment without the weight that others have"),
    ])
    func settingOfOneOfSeveralDeploymentsIsNoted(one: String, other: String, words: String) throws {
        let result = try imported(
            """
            model_list:
            - {model_name: m, litellm_params: {model: openai/a, \(one)}}
            - {model_name: m, litellm_params: {model: openai/b\(other.isEmpty ? "" : ", " + other)}}
            """)
        #expect(result.notes.contains { $0.message.contains(words) }, "\(result.notes)")
    }

    @Test(arguments: [
        ("router_settings: {num_retries: 2}\nlitellm_settings: {num_retries: 3}", "a second num_retries"),
        ("router_settings: {timeout: soon}", "timeout, which is not a number"),
        ("router_settings: {fallbacks: [{nobody: [m]}]}", "fallbacks of \"nobody\""),
        ("router_settings: {model_group_alias: {m: m}}", "a model has that name"),
        ("router_settings: {model_group_alias: {a: {hidden: true}}}", "names no model"),
        ("router_settings: {model_group_alias: {a: {model: m, hidden: true}}}", "it is listed"),
        ("router_settings: {fallbacks: [{other: [m]}]}", "rpm of \"m\" hold for requests for that name alone"),
        ("guardrails: []", "\"guardrails\": there is no counterpart"),
    ])
    func untranslatedSettingOfAllModelsIsNoted(settings: String, words: String) throws {
        let result = try imported(
            """
            model_list:
            - {model_name: m, litellm_params: {model: openai/m, rpm: 60}}
            - {model_name: other, litellm_params: {model: openai/other}}
            \(settings)
            """)
        #expect(result.notes.contains { $0.message.contains(words) }, "\(result.notes)")
    }

    @Test func severalNamesOfAModelShareItsLimit() throws {
        let models = try models(
            """
            model_list:
            - {model_name: m, litellm_params: {model: openai/m, rpm: 60, max_parallel_requests: 9}}
            router_settings: {model_group_alias: {one: m, two: {model: m}}}
            """)
        #expect(models.map(\.name) == ["m", "one", "two"])
        #expect(models.allSatisfy { $0.limits?.inFlight == 3 && $0.limits?.requests == models[0].limits?.requests })
        #expect(models[1].targets.map(\.model) == ["m"])
    }

    @Test func masterKeyRemainsAClientKeyWithoutItsRights() throws {
        func imported(_ key: String) throws -> (LiteLLMImport, [KeyConfiguration]) {
            let result = try self.imported(
                """
                model_list: [{model_name: m, litellm_params: {model: openai/m}}]
                general_settings: {master_key: \(key)}
                """,
                environment: ["MASTER": "sk-a-long-master-key-0123"])
            let configuration = try Configuration.parse(
                text: result.text, file: "f", environment: ["OPENAI_API_KEY": "x"])
            return (result, configuration.keys)
        }
        for key in ["os.environ/MASTER", "sk-a-long-master-key-0123"] {
            let (result, keys) = try imported(key)
            #expect(keys.map(\.name) == ["master"] && keys.map(\.isAdmin) == [false])
            #expect(keys.first?.digest.last == 25 && !result.text.contains("sk-a-long"))
            #expect(!result.notes.contains { $0.message.contains("shorter") })
        }
        #expect(try imported("sk-1234").0.notes.contains { $0.message.contains("shorter than 20 characters") })
        let (result, keys) = try imported("os.environ/NOBODY")
        #expect(keys.isEmpty && result.notes.contains { $0.message.contains("NOBODY is not set") })
    }

    @Test func excessTargetsAreNoted() throws {
        let entries = (1...20).map { "- {model_name: m, litellm_params: {model: openai/m\($0)}}" }
        let result = try imported("model_list:\n" + entries.joined(separator: "\n"))
        try result.check()
        #expect(result.notes.contains { $0.message.contains("after the first 16") })
    }
}
