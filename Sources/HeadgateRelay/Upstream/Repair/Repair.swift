/// Change to a request that an upstream has refused. The raw value is the name in logs and metrics. If several repairs
/// match a refusal, the first in ``KnownRefusal/all`` is tried.
package enum Repair: String, CaseIterable, Sendable {
    case streamOptions = "stream_options"
    case parallelToolCalls = "parallel_tool_calls"
    /// Sent as `max_completion_tokens`.
    case maxTokens = "max_tokens"
    /// Sent as `max_tokens`.
    case maxCompletionTokens = "max_completion_tokens"
    /// Role that is replaced with `system`.
    case developerRole = "developer"
    case topP = "top_p"
    case topK = "top_k"
    case presencePenalty = "presence_penalty"
    case frequencyPenalty = "frequency_penalty"
    case temperature
    /// Encoding of embeddings. After this repair the gateway encodes them itself.
    case encodingFormat = "encoding_format"
    /// Token counting, replaced with the gateway's estimate.
    case countTokens = "count_tokens"
    /// Limit of -1 tokens, which some servers read as unlimited.
    case unlimitedTokens = "unlimited_tokens"
}

struct Repairs: OptionSet, Sendable {
    let rawValue: UInt16

    init(rawValue: UInt16) { self.rawValue = rawValue }

    init(_ repair: Repair) { rawValue = 1 << UInt16(repair.index) }

    func contains(_ repair: Repair) -> Bool { contains(Repairs(repair)) }

    mutating func insert(_ repair: Repair) { insert(Repairs(repair)) }

    /// Comma-separated names, in the order of the cases.
    var text: String { Repair.allCases.filter(contains).map(\.rawValue).joined(separator: ",") }
}

extension Repair {
    var index: Int { Repair.allCases.firstIndex(of: self) ?? 0 }
}
