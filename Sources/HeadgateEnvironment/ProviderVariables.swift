// HeadgateEnvironment: the meaning of environment variables for programs that use language models, and the changes that
// make such a program use a gateway. The module is pure: an environment goes in, another comes out.

/// The variables in which programs find providers of language models, and their keys.
///
/// General cloud credentials (`AWS_ACCESS_KEY_ID`, `GOOGLE_APPLICATION_CREDENTIALS`, `GITHUB_TOKEN`) are not included,
/// because programs need those for many other purposes.
package enum ProviderVariables {
    /// The beginnings of the names of each provider's variables.
    private static let providers = [
        "AI21", "AI_GATEWAY", "ALEPH_ALPHA", "ANTHROPIC", "ANTHROPIC_FOUNDRY", "ANYSCALE", "AZURE_AI", "AZURE_OPENAI",
        "CEREBRAS",
        "CLAUDE", "CLOUDFLARE_AI", "CODESTRAL", "COHERE", "DASHSCOPE", "DEEPINFRA", "DEEPSEEK", "FIREWORKS_AI",
        "FRIENDLI",
        "GEMINI", "GOOGLE_GEMINI", "GOOGLE_GENAI", "GOOGLE_GENERATIVE_AI", "GROK", "GROQ", "HUGGINGFACE",
        "HUGGINGFACEHUB",
        "HUGGING_FACE", "HUGGING_FACE_HUB", "KIMI", "LITELLM", "LITELLM_PROXY", "MISTRAL", "MOONSHOT", "NVIDIA_NIM",
        "OLLAMA",
        "OPENAI",
        "OPENPIPE", "OPENROUTER", "PERPLEXITY", "PERPLEXITYAI", "PORTKEY", "PPLX", "QWEN", "SAMBANOVA", "SILICONFLOW",
        "TOGETHERAI",
        "TOGETHER_AI", "VOYAGEAI", "WATSONX", "XAI", "ZHIPUAI",
    ]

    /// The endings of the names. A number may follow, and `_FILE`.
    private static let endings = [
        "ADMIN_KEY", "APIKEY", "API_BASE", "API_BASE_URL", "API_BASE_URLS", "API_ENDPOINT", "API_HOST", "API_KEY",
        "API_KEYS",
        "API_TOKEN", "API_URL", "AUTH_TOKEN", "BASE_URL", "BASE_URLS", "CUSTOM_HEADERS", "ENDPOINT", "HOST",
        "KEY", "MASTER_KEY", "OAUTH_TOKEN", "SECRET", "SECRET_KEY", "TOKEN",
    ]

    /// Providers whose names also have other meanings: WRITER_HOST may be that of a database.
    private static let ambiguousProviders = [
        "BASETEN", "CHUTES", "CO", "FEATHERLESS", "FIREWORKS", "HF", "HYPERBOLIC", "INCEPTION", "JINA", "LAMBDA",
        "LLAMA",
        "MINIMAX",
        "NEBIUS", "NOVITA", "NSCALE", "NVIDIA", "OPENCODE", "POE", "REKA", "REPLICATE", "TOGETHER", "UPSTAGE", "VENICE",
        "VOYAGE",
        "WRITER", "ZAI",
    ]
    private static let unambiguousEndings = ["API_KEY", "API_KEYS", "API_TOKEN"]

    /// Names that follow no rule.
    private static let others: Set<String> = [
        "ANTHROPIC_BEDROCK_BASE_URL", "ANTHROPIC_UNIX_SOCKET", "ANTHROPIC_VERTEX_BASE_URL", "ARK_API_KEY",
        "AWS_BEARER_TOKEN_BEDROCK", "AZURE_API_BASE", "AZURE_API_KEY", "AZURE_INFERENCE_CREDENTIAL",
        "AZURE_INFERENCE_ENDPOINT", "AZURE_OPENAI_AD_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN", "CLAUDE_CODE_USE_BEDROCK",
        "CLAUDE_CODE_USE_FOUNDRY", "CLAUDE_CODE_USE_VERTEX", "CODEX_API_KEY", "GOOGLE_API_KEY",
        "GOOGLE_GENAI_USE_VERTEXAI",
        "HF_ENDPOINT", "HF_TOKEN", "HUGGING_FACE_HUB_TOKEN", "OPENAI_API_TYPE", "VERTEX_API_KEY", "VOLCENGINE_API_KEY",
        "WATSONX_URL",
    ]

    /// The beginnings of well-known kinds of keys.
    private static let keyBeginnings = [
        "AIza", "fw_", "gsk_", "hf_", "nvapi-", "pplx-", "r8_", "sk-", "tgp_v1_", "xai-",
    ]

    /// Returns whether the name is that of a variable with a provider's address or key.
    package static func contains(_ name: String) -> Bool {
        var name = name[...]
        if name.hasSuffix("_FILE") { name = name.dropLast(5) }
        if others.contains(String(name)) { return true }
        // AZURE_OPENAI_API_KEY_EASTUS is one of several keys, and VITE_OPENAI_API_KEY is the key for some tool.
        if providers.contains(where: { "_\(name)".contains("_\($0)_API_KEY") }) { return true }
        // OPENAI_KEY_2 is a second key, like OPENAI_KEY2.
        let number = name.reversed().prefix { $0.isASCII && $0.isNumber }.count
        name = name.dropLast(number)
        if number > 0, name.hasSuffix("_") { name = name.dropLast() }
        return joins(name, providers, endings) || joins(name, ambiguousProviders, unambiguousEndings)
    }

    private static func joins(_ name: Substring, _ providers: [String], _ endings: [String]) -> Bool {
        endings.contains { name.hasSuffix("_\($0)") && providers.contains(String(name.dropLast($0.count + 1))) }
    }

    /// Returns whether a variable of that name has a secret as its value, and not an address or the name of a file.
    static func isSecret(_ name: String) -> Bool {
        guard !name.hasSuffix("_FILE") else { return false }
        return ["KEY", "TOKEN", "HEADERS", "CREDENTIAL", "SECRET"].contains { word in
            name.split(separator: "_").contains { $0.hasPrefix(word) || $0.hasSuffix(word) }
        }
    }

    /// Returns whether the value looks like a provider's key, regardless of the variable's name.
    package static func isProviderKey(_ value: String) -> Bool {
        guard value.utf8.count >= 20, value.utf8.allSatisfy(isKeyByte) else { return false }
        return keyBeginnings.contains { value.hasPrefix($0) }
    }

    private static func isKeyByte(_ byte: UInt8) -> Bool {
        (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10 || byte == 0x2D || byte == 0x5F
    }
}
