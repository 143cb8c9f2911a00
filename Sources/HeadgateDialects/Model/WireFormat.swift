// HeadgateDialects: requests and responses of one API turned into those of another, bytes to bytes.
//
// Each format has a reader and a writer of requests, of whole responses and of streams. Between them stand the types of
// this folder, which belong to no format: n formats need n readers and n writers.

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
