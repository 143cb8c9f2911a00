import HeadgateConfiguration
import HeadgatePrices

/// The request that a start prints to be tried: for a model that is there, on a route that its upstream takes.
struct FirstRequest {
    /// A name to send, or ``placeholder``.
    let model: String
    /// In front of the request.
    let title: String
    /// Whether no model is served but the one on this device, which takes its time to load.
    let needsOnDeviceModel: Bool
    private let isAnthropic: Bool

    private static let placeholder = "MODEL"

    /// - Parameter today: such as `2026-11-28`: a model that its vendor has retired is not printed.
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

    /// Behind `/v1`.
    var path: String { isAnthropic ? "/messages" : "/chat/completions" }

    /// Arguments of curl after its URL and the key. The gateway takes curl's own content type from programs.
    var options: [String] {
        let name = model.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("'", with: "'\\''")
        let length = isAnthropic ? "\"max_tokens\":64," : ""
        let messages = "[{\"role\":\"user\",\"content\":\"What is a river?\"}]"
        let body = "{\"model\":\"\(name)\",\(length)\"stream\":true,\"messages\":\(messages)}"
        return (isAnthropic ? ["-H 'anthropic-version: 2023-06-01'"] : [])
            + ["-d '\(body)'"]
    }

    // MARK: Names

    /// Models that many upstreams have, the cheapest of their kind first.
    static let examples = [
        "gpt-6-luna", "gpt-5.4-nano", "claude-haiku-5-5", "claude-haiku-4-5", "gemini-3.1-flash-lite",
        "gemini-flash-latest", "mistral-small-latest", "ministral-3b-latest", "deepseek-v4-flash", "deepseek-flash",
        "grok-4.3", "kimi-k2.6", "command-r7b-12-2024", "llama3.2", "qwen3", "gemma3", "phi4", "smollm2",
    ]

    private static func example(_ prefix: some StringProtocol, today: String) -> String? {
        examples.first { $0.hasPrefix(prefix) && PriceList.retirement(of: $0).map { $0 > today } ?? true }
    }

    /// A name that a pattern matches and its upstream likely knows.
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
