import HeadgateConfiguration
import HeadgatePrices

/// The request that is printed at the start, for an available model and a route that its upstream supports.
struct FirstRequest {
    /// Name to send, or ``placeholder``.
    let model: String
    /// Text in front of the request.
    let title: String
    /// Whether the on-device model is the only one, which takes time to load.
    let needsOnDeviceModel: Bool
    private let isAnthropic: Bool

    private static let placeholder = "MODEL"

    /// - Parameter today: A date such as `2026-11-28`. A model that is retired by then is not used.
    init(_ configuration: Configuration, today: String) {
        func upstream(of model: ModelConfiguration) -> UpstreamConfiguration? {
            configuration.upstreams.first { $0.name == model.targets.first?.upstream }
        }
        let others = configuration.models.filter { upstream(of: $0)?.kind != .onDevice }
        needsOnDeviceModel = others.isEmpty
        let models = others.isEmpty ? configuration.models : others
        let named = models.lazy.compactMap { model in
            FirstRequest.example(of: model, upstream(of: model), today: today).map { (model, $0) }
        }
        let chosen = models.first { !$0.isPattern }.map { ($0, $0.name) } ?? named.first
        model = chosen?.1 ?? FirstRequest.placeholder
        let target = (chosen?.0 ?? models.first).flatMap(upstream)
        isAnthropic = target?.kind == .anthropic
        if chosen == nil, let pattern = models.first?.name {
            let whose = pattern == "*" ? "of the upstream '\(target?.name ?? "")'" : "that '\(pattern)' matches"
            title = "try it, with a model \(whose) instead of \(FirstRequest.placeholder)"
        } else {
            title = "try it"
        }
    }

    /// Path after `/v1`.
    var path: String { isAnthropic ? "/messages" : "/chat/completions" }

    /// Arguments of curl after the URL and the key. The gateway accepts curl's default content type from programs.
    var options: [String] {
        let name = model.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("'", with: "'\\''")
        let length = isAnthropic ? "\"max_tokens\":64," : ""
        let messages = "[{\"role\":\"user\",\"content\":\"What is a river?\"}]"
        let body = "{\"model\":\"\(name)\",\(length)\"stream\":true,\"messages\":\(messages)}"
        return (isAnthropic ? ["-H 'anthropic-version: 2023-06-01'"] : [])
            + ["-d '\(body)'"]
    }

    // MARK: Names

    /// Models that many upstreams serve, with the cheapest of each family first.
    static let examples = [
        "gpt-6-luna", "gpt-5.4-nano", "claude-haiku-5-5", "claude-haiku-4-5", "gemini-3.1-flash-lite",
        "gemini-flash-latest", "mistral-small-latest", "ministral-3b-latest", "deepseek-v4-flash", "deepseek-flash",
        "grok-4.3", "kimi-k2.6", "command-r7b-12-2024", "llama3.2", "qwen3", "gemma3", "phi4", "smollm2",
    ]

    private static func example(_ prefix: some StringProtocol, today: String) -> String? {
        examples.first { $0.hasPrefix(prefix) && PriceList.retirement(of: $0).map { $0 > today } ?? true }
    }

    /// Returns a name that matches a pattern and that its upstream probably knows.
    private static func example(
        of pattern: ModelConfiguration, _ upstream: UpstreamConfiguration?, today: String
    ) -> String? {
        let prefix = pattern.name.dropLast()
        guard prefix.isEmpty else { return example(prefix, today: today) }
        return switch upstream?.kind {
        case .anthropic: example("claude-", today: today)
        case .openai where upstream?.baseURL?.host == "api.openai.com": example("gpt-", today: today)
        case .onDevice: upstream?.nameOnDevice
        default: nil
        }
    }
}
