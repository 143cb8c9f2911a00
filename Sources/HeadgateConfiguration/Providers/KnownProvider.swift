internal import HeadgatePrimitives

/// A provider with a known address and known variables, for a short configuration.
package struct KnownProvider: Sendable {
    /// Name of the provider's upstream, and its name in `headgate init`.
    package let name: String
    /// Name for messages and documents.
    package let title: String
    package let kind: UpstreamKind
    /// Base URL; nil if each customer has a different one, and for the on-device model.
    package let url: String?
    /// Variable that contains the key by the provider's convention; nil if no key is needed.
    package let keyVariable: String?
    /// Variable that contains the address by the same convention.
    package var urlVariable: String?
    /// Patterns that match only this provider's models; empty if it serves models of many makers.
    package let patterns: [String]
    /// Formats that the provider speaks, if they differ from those of its kind.
    package var speaks: [SpokenFormat]?
    /// Prefixes of the provider's models in LiteLLM, and the variable that LiteLLM reads if it is a different one.
    package let liteLLM: (prefixes: [String], keyVariable: String?)

    private init(
        _ name: String, _ title: String, _ kind: UpstreamKind = .openai, url: String?, key: String?,
        urlVariable: String? = nil, patterns: [String] = [], speaks: [SpokenFormat]? = [.chat],
        liteLLM prefixes: [String], key liteLLMKey: String? = nil
    ) {
        (self.name, self.title, self.kind, self.url) = (name, title, kind, url)
        (keyVariable, self.urlVariable, self.patterns, self.speaks) = (key, urlVariable, patterns, speaks)
        liteLLM = (prefixes, liteLLMKey)
    }

    package static func named(_ name: String) -> KnownProvider? { all.first { $0.name.isExactly(name) } }

    package static func ofLiteLLM(_ prefix: String) -> KnownProvider? {
        all.first { $0.liteLLM.prefixes.contains { $0.isExactly(prefix) } }
    }

    /// Returns the nearest known name for an unknown one.
    package static func nearestName(to name: String) -> String? { nearest(name, in: all.map(\.name)) }

    /// Returns the provider's URL from the environment, as in a configuration; nil if there is none.
    package func url(in environment: [String: String]) throws(InvalidValue) -> String? {
        guard let variable = urlVariable, let text = environment[variable], !text.isEmpty else { return nil }
        let url = name == "ollama" ? try UpstreamURL(parsingOllamaHost: text) : try UpstreamURL(parsing: text)
        return url.description
    }

    /// Local servers that are started by hand, at their usual ports.
    static let local: [KnownProvider] = [
        KnownProvider("llamacpp", "llama.cpp", url: "http://127.0.0.1:8080/v1", key: nil, speaks: nil, liteLLM: []),
        KnownProvider("vllm", "vLLM", url: "http://127.0.0.1:8000/v1", key: nil, liteLLM: []),
        KnownProvider("lmstudio", "LM Studio", url: "http://127.0.0.1:1234/v1", key: nil, liteLLM: []),
    ]

    /// All providers, in the order in which they are offered.
    package static let all: [KnownProvider] = [
        KnownProvider(
            "openai", "OpenAI", url: "https://api.openai.com/v1", key: "OPENAI_API_KEY", urlVariable: "OPENAI_BASE_URL",
            patterns: [
                "gpt-*", "chatgpt-*", "o1*", "o3*", "o4*", "text-embedding-*", "omni-moderation-*", "dall-e-*", "tts-*",
                "whisper-*",
            ],
            speaks: nil, liteLLM: ["openai", "text-completion-openai"]),
        KnownProvider(
            "anthropic", "Anthropic", .anthropic, url: "https://api.anthropic.com", key: "ANTHROPIC_API_KEY",
            urlVariable: "ANTHROPIC_BASE_URL", patterns: ["claude-*"], speaks: nil, liteLLM: ["anthropic"]),
        KnownProvider(
            "azure", "Azure OpenAI", .azure, url: nil, key: "AZURE_OPENAI_API_KEY",
            urlVariable: "AZURE_OPENAI_ENDPOINT", speaks: nil, liteLLM: ["azure", "azure_text"], key: "AZURE_API_KEY"),
        KnownProvider(
            "gemini", "Google Gemini", url: "https://generativelanguage.googleapis.com/v1beta/openai",
            key: "GEMINI_API_KEY", patterns: ["gemini-*", "gemma-*"], liteLLM: ["gemini"]),
        KnownProvider(
            "mistral", "Mistral", url: "https://api.mistral.ai/v1", key: "MISTRAL_API_KEY",
            patterns: ["mistral-*", "ministral-*", "codestral-*", "magistral-*", "devstral-*", "pixtral-*"],
            liteLLM: ["mistral"]),
        KnownProvider(
            "deepseek", "DeepSeek", url: "https://api.deepseek.com/v1", key: "DEEPSEEK_API_KEY",
            patterns: ["deepseek-*"], liteLLM: ["deepseek"]),
        KnownProvider(
            "xai", "xAI", url: "https://api.x.ai/v1", key: "XAI_API_KEY", patterns: ["grok-*"], liteLLM: ["xai"]),
        KnownProvider(
            "groq", "Groq", url: "https://api.groq.com/openai/v1", key: "GROQ_API_KEY", liteLLM: ["groq"]),
        KnownProvider(
            "openrouter", "OpenRouter", url: "https://openrouter.ai/api/v1", key: "OPENROUTER_API_KEY",
            liteLLM: ["openrouter"]),
        KnownProvider(
            "together", "Together AI", url: "https://api.together.xyz/v1", key: "TOGETHER_API_KEY",
            liteLLM: ["together_ai"], key: "TOGETHERAI_API_KEY"),
        KnownProvider(
            "fireworks", "Fireworks AI", url: "https://api.fireworks.ai/inference/v1", key: "FIREWORKS_API_KEY",
            liteLLM: ["fireworks_ai"]),
        KnownProvider(
            "cerebras", "Cerebras", url: "https://api.cerebras.ai/v1", key: "CEREBRAS_API_KEY", liteLLM: ["cerebras"]),
        KnownProvider(
            "perplexity", "Perplexity", url: "https://api.perplexity.ai", key: "PERPLEXITY_API_KEY",
            patterns: ["sonar*"], liteLLM: ["perplexity"], key: "PERPLEXITYAI_API_KEY"),
        KnownProvider(
            "ollama", "Ollama", url: "http://127.0.0.1:11434/v1", key: nil, urlVariable: "OLLAMA_HOST",
            liteLLM: ["ollama", "ollama_chat"]),
        KnownProvider(
            "on-device", "the tiny, English-only model on this device", .onDevice, url: nil, key: nil,
            patterns: ["smollm2"], speaks: nil,
            liteLLM: []),
    ]
}

extension KnownProvider {
    /// Providers that `kind` can name in addition to the kinds themselves.
    static let presets = (all + local).filter { $0.url != nil && UpstreamKind(rawValue: $0.name) == nil }
    /// All values of `kind`.
    static let kinds = UpstreamKind.allCases.map(\.rawValue) + presets.map(\.name)
}
