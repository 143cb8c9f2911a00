// HeadgateDialects: translation of requests and responses between APIs, from bytes to bytes.
//
// Each format has a reader and a writer for requests, for whole responses and for streams. The types in this folder
// connect them and belong to no format, so n formats need n readers and n writers.

/// An API for conversations with a model.
package enum WireFormat: String, CaseIterable, Sendable {
    /// OpenAI's chat completions and compatible APIs.
    case chat
    /// Anthropic's Messages.
    case messages
    /// OpenAI's Responses.
    case responses

    /// Name for messages and documents.
    package var title: String {
        switch self {
        case .chat: "OpenAI's chat completions"
        case .messages: "Anthropic's Messages"
        case .responses: "OpenAI's Responses"
        }
    }
}

/// Reads the requests of one format.
protocol RequestReader {
    /// - Parameter losses: Receives the names of members that the neutral format cannot express.
    static func read(_ body: JSONObject, _ losses: inout Losses) throws(TranslationError) -> ModelRequest
}

/// Writes requests in one format.
protocol RequestWriter {
    /// - Parameter losses: Receives the features that this format cannot express.
    static func write(
        _ request: ModelRequest, for target: TargetTraits, _ losses: inout Losses
    ) throws(TranslationError) -> WrittenRequest
}

struct WrittenRequest: Equatable {
    var body: JSONObject
    /// The client's names of tools by the names sent to the upstream, if they differ.
    var toolNames: [String: String] = [:]
}

/// Reads the whole responses of one format.
protocol ResponseReader {
    static func read(_ document: JSONObject) throws(ResponseFault) -> ModelResponse
}

/// Writes whole responses in one format.
protocol ResponseWriter {
    static func write(_ response: ModelResponse, _ context: ResponseContext) -> JSONObject
}

/// The reason why a response cannot be translated.
package enum ResponseFault: Error, Equatable, Sendable {
    /// The document is an error instead of a response.
    case error
    /// The document is not a response of the upstream's format.
    case unexpected
    /// The response has more bytes to hold back than the limit allows.
    case oversize
    /// The response should be a summary, but has no text or only part of it.
    case noSummary
}

/// Reads the events of streams of one format.
protocol StreamReader {
    init()

    /// Reads one event, which must be an object, and appends its content. An event without content appends nothing.
    mutating func read(_ event: JSONValue, into events: inout [ResponseEvent])

    /// Appends the held content when no more events follow.
    mutating func finish(into events: inout [ResponseEvent])

    /// Whether a stream without its own end is still complete, because all content has arrived.
    var mayEnd: Bool { get }
}

extension StreamReader {
    mutating func finish(into _: inout [ResponseEvent]) {}
}

/// Writes streams of one format.
protocol StreamWriter {
    init(_ context: ResponseContext)

    /// Appends whole events in this format.
    mutating func write(_ event: ResponseEvent, to output: inout [UInt8]) throws(ResponseFault)

    /// Number of events written so far. In formats that number events, it is the number of the next one.
    var eventCount: Int { get }
}
