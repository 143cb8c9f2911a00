/// What of a request is done otherwise, as an upstream refuses it: the name in logs and metrics. Of two that fit a
/// refusal the first is tried.
package enum Repair: String, CaseIterable, Sendable {
    case streamOptions = "stream_options"
    case parallelToolCalls = "parallel_tool_calls"
    /// Sent as `max_completion_tokens`.
    case maxTokens = "max_tokens"
    /// Sent as `max_tokens`.
    case maxCompletionTokens = "max_completion_tokens"
    /// The role, in place of which `system` is sent.
    case developerRole = "developer"
    case topP = "top_p"
    case topK = "top_k"
    case presencePenalty = "presence_penalty"
    case frequencyPenalty = "frequency_penalty"
    case temperature
    /// Of embeddings, which the gateway encodes itself then.
    case encodingFormat = "encoding_format"
    /// Tokens are estimated.
    case countTokens = "count_tokens"
    /// A limit of -1 tokens, which some servers take for none.
    case unlimitedTokens = "unlimited_tokens"
}

package struct Repairs: OptionSet, Sendable {
    package let rawValue: UInt16

    package init(rawValue: UInt16) { self.rawValue = rawValue }

    package init(_ repair: Repair) { rawValue = 1 << UInt16(repair.index) }

    func contains(_ repair: Repair) -> Bool { contains(Repairs(repair)) }

    mutating func insert(_ repair: Repair) { insert(Repairs(repair)) }

    /// In their order, with commas.
    package var text: String { Repair.allCases.filter(contains).map(\.rawValue).joined(separator: ",") }
}

extension Repair {
    var index: Int { Repair.allCases.firstIndex(of: self) ?? 0 }
}
