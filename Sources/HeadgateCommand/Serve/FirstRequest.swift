import HeadgateConfiguration

/// The request that a start prints to be tried: for a model that is there, on a route that its upstream takes.
struct FirstRequest {
    /// A name to send, or ``placeholder``.
    let model: String
    /// Above the request.
    let title: String
    /// Whether no model is served but the one on this device, which takes its time to load.
    let needsOnDeviceModel: Bool
    private let isAnthropic: Bool

    private static let placeholder = "MODEL"

    init(_ configuration: Configuration) {
        func upstream(of model: ModelConfiguration) -> UpstreamConfiguration? {
            configuration.upstreams.first { $0.name == model.targets.first?.upstream }
        }
        let others = configuration.models.filter { upstream(of: $0)?.kind != .onDevice }
        needsOnDeviceModel = others.isEmpty
        let models = others.isEmpty ? configuration.models : others
        let named = models.lazy.compactMap { model in
            FirstRequest.example(of: model, upstream(of: model)).map { (model, $0) }
        }
        let chosen = models.first { !$0.isPattern }.map { ($0, $0.name) } ?? named.first
        model = chosen?.1 ?? FirstRequest.placeholder
        let target = (chosen?.0 ?? models.first).flatMap(upstream)
        isAnthropic = target?.kind == .anthropic
        if chosen == nil, let pattern = models.first?.name {
            let whose = pattern == "*" ? "of the upstream '\(target?.name ?? "")'" : "that '\(pattern)' matches"
            title = "Try it, with the name of a model \(whose) in the place of \(FirstRequest.placeholder):"
        } else {
            title = "Try it:"
        }
    }

    /// Behind `/v1`.
    var path: String { isAnthropic ? "/messages" : "/chat/completions" }

    /// What curl sends, in lines that follow its URL and the key.
    var options: [String] {
        let name = model.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("'", with: "'\\''")
        let length = isAnthropic ? "\"max_tokens\":64," : ""
        let messages = "[{\"role\":\"user\",\"content\":\"What is a river? Answer in one sentence.\"}]"
        let body = "{\"model\":\"\(name)\",\(length)\"stream\":true,\"messages\":\(messages)}"
        return (isAnthropic ? ["-H 'anthropic-version: 2023-06-01'"] : [])
            + ["-H 'Content-Type: application/json'", "-d '\(body)'"]
    }

    // MARK: Names

    /// Models that many upstreams have, the cheapest of their kind.
    private static let examples = [
        "gpt-4.1-nano", "claude-haiku-4-5", "o4-mini", "gemini-2.5-flash", "mistral-small-latest", "deepseek-chat",
        "grok-3-mini", "command-r", "llama3.2", "qwen3", "gemma3", "phi4", "smollm2",
    ]

    /// A name that a pattern matches and its upstream likely knows.
    private static func example(of pattern: ModelConfiguration, _ upstream: UpstreamConfiguration?) -> String? {
        let prefix = pattern.name.dropLast()
        guard prefix.isEmpty else { return examples.first { $0.hasPrefix(prefix) } }
        return switch upstream?.kind {
        case .anthropic: "claude-haiku-4-5"
        case .openai where upstream?.baseURL?.host == "api.openai.com": "gpt-4.1-nano"
        case .onDevice: "smollm2"
        default: nil
        }
    }
}
