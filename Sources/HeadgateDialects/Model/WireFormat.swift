// HeadgateDialects: translation of requests and responses between APIs, bytes to bytes.
//
// Each format has a reader and a writer of requests, of whole responses and of streams. The types in this folder
// connect them and belong to no format, so n formats need n readers and n writers.

/// An API for conversations with a model, by the form of its requests and responses.
package enum WireFormat: String, CaseIterable, Sendable {
    /// OpenAI's chat completions, and what speaks like them.
    case chat
    /// Anthropic's Messages.
    case messages
    /// OpenAI's Responses.
    case responses

    /// Its name for people.
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
    /// - Parameter losses: what the neutral form cannot hold is dropped there, by its name.
    static func read(_ body: JSONObject, _ losses: inout Losses) throws(TranslationError) -> ModelRequest
}

/// Writes requests in one format.
protocol RequestWriter {
    /// - Parameter losses: what the format cannot express is dropped there.
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

/// Why a response cannot be translated.
package enum ResponseFault: Error, Equatable, Sendable {
    /// It is an error instead of a response.
    case error
    /// It is not a response of the upstream's format.
    case unexpected
    /// It needs to be held back for longer than the cap allows.
    case oversize
    /// It is to be a summary, and has no text or not all of it.
    case noSummary
}

/// Reads the events of streams of one format.
protocol StreamReader {
    init()

    /// Reads one event, an object, and appends its content. An event without content of the response adds nothing.
    mutating func read(_ event: JSONValue, into events: inout [ResponseEvent])

    /// Appends what was held back, as no more events come.
    mutating func finish(into events: inout [ResponseEvent])

    /// Whether a stream whose own end does not come is complete all the same, as all that matters has come.
    var mayEnd: Bool { get }
}

extension StreamReader {
    mutating func finish(into _: inout [ResponseEvent]) {}
}

/// Writes streams of one format.
protocol StreamWriter {
    init(_ context: ResponseContext)

    /// Appends whole events, as the format wants them.
    mutating func write(_ event: ResponseEvent, to output: inout [UInt8]) throws(ResponseFault)

    /// How many events have been written: of formats that number them, the number of the next one.
    var eventCount: Int { get }
}
