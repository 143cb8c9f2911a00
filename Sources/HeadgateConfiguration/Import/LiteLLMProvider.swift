internal import HeadgatePrimitives

/// The provider in a LiteLLM model name.
struct LiteLLMProvider {
    let stem: String
    let kind: UpstreamKind
    /// Base URL; nil if the file must contain it.
    let url: String?
    /// Variable from which LiteLLM reads the key if the file contains none.
    let keyVariable: String?
    let speaks: [SpokenFormat]?
    /// Patterns that match the names of the provider's own models.
    let patterns: [String]

    private init(_ known: KnownProvider) {
        stem = known.name
        (kind, url, speaks, patterns) = (known.kind, known.url, known.speaks, known.patterns)
        keyVariable = known.liteLLM.keyVariable ?? known.keyVariable
    }

    private init(_ stem: String, url: String?, key: String?) {
        (self.stem, kind, self.url, keyVariable) = (stem, .openai, url, key)
        (speaks, patterns) = ([.chat], [])
    }

    /// - Returns: The provider, and its name for the model; nil for a provider whose API the gateway does not speak.
    static func resolve(
        _ model: String, chosen: String?, hasAddress: Bool
    ) -> (provider: LiteLLMProvider, model: String)? {
        if let chosen, unspoken.contains(chosen) { return nil }
        let parts = model.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        if let chosen, let provider = LiteLLMProvider(prefix: chosen) {
            return (provider, parts.count == 2 && parts[0] == chosen ? parts[1] : model)
        }
        if parts.count == 2, !parts[1].isEmpty {
            if let provider = LiteLLMProvider(prefix: parts[0]) { return (provider, parts[1]) }
            return unspoken.contains(parts[0]) || !hasAddress ? nil : (openAI, model)
        }
        if hasAddress { return (openAI, model) }
        // Without a prefix, the name itself identifies the provider.
        let known = KnownProvider.all.first { provider in
            provider.kind != .onDevice
                && provider.patterns.contains { $0.patternPrefix.map(model.hasPrefix) ?? ($0 == model) }
        }
        if let known { return (LiteLLMProvider(known), model) }
        return model == "*" ? (openAI, model) : nil
    }

    static func isKnown(_ prefix: String) -> Bool { LiteLLMProvider(prefix: prefix) != nil }

    private static var openAI: LiteLLMProvider {
        LiteLLMProvider(prefix: "openai") ?? LiteLLMProvider("openai", url: nil, key: nil)
    }

    private init?(prefix: String) {
        if let known = KnownProvider.ofLiteLLM(prefix) {
            self.init(known)
        } else if let other = LiteLLMProvider.others[prefix] {
            self.init(other.stem, url: other.url, key: other.key)
        } else {
            return nil
        }
    }

    /// Servers and providers with an OpenAI-compatible API that occur only in LiteLLM files.
    private static let others: [String: (stem: String, url: String?, key: String?)] = [
        "hosted_vllm": ("vllm", nil, nil), "vllm": ("vllm", nil, nil), "lm_studio": ("lm-studio", nil, nil),
        "openai_like": ("server", nil, nil), "custom_openai": ("server", nil, nil),
        "llamafile": ("llamafile", "http://127.0.0.1:8080/v1", nil), "litellm_proxy": ("litellm", nil, nil),
        "xinference": ("xinference", nil, nil), "docker_model_runner": ("docker", nil, nil),
        "cohere": ("cohere", "https://api.cohere.ai/compatibility/v1", "COHERE_API_KEY"),
        "cohere_chat": ("cohere", "https://api.cohere.ai/compatibility/v1", "COHERE_API_KEY"),
        "deepinfra": ("deepinfra", "https://api.deepinfra.com/v1/openai", "DEEPINFRA_API_KEY"),
        "moonshot": ("moonshot", "https://api.moonshot.ai/v1", "MOONSHOT_API_KEY"),
        "nvidia_nim": ("nvidia", "https://integrate.api.nvidia.com/v1", "NVIDIA_NIM_API_KEY"),
        "sambanova": ("sambanova", "https://api.sambanova.ai/v1", "SAMBANOVA_API_KEY"),
        "huggingface": ("huggingface", "https://router.huggingface.co/v1", "HF_TOKEN"),
        "codestral": ("codestral", "https://codestral.mistral.ai/v1", "CODESTRAL_API_KEY"),
    ]

    /// Providers with a different API. An address in the file does not make them OpenAI-compatible.
    private static let unspoken: Set<String> = [
        "bedrock", "bedrock_converse", "sagemaker", "sagemaker_chat", "vertex_ai", "vertex_ai_beta", "replicate",
        "watsonx", "watsonx_text", "palm", "nlp_cloud", "aleph_alpha", "petals", "predibase", "oci", "snowflake",
        "databricks", "triton", "azure_ai", "cloudflare", "clarifai", "voyage", "jina_ai", "deepgram", "elevenlabs",
        "assemblyai", "github_copilot", "text-completion-codestral",
    ]
}
