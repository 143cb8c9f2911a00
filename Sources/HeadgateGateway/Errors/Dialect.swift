internal import HTTPTypes
internal import HeadgateContract
internal import HeadgateHTTP

/// The API whose clients a route serves: what its errors look like, as a body and as the last event of a stream.
enum Dialect: Sendable {
    case openAI
    /// OpenAI's Responses: bodies as ``openAI``, streams of typed events.
    case responses
    case anthropic

    /// The dialect of an operation.
    init(operationID: String) {
        switch operationID {
        case OperationTable.createMessage.id, OperationTable.countMessageTokens.id: self = .anthropic
        case OperationTable.createResponse.id, OperationTable.retrieveResponse.id: self = .responses
        default: self = .openAI
        }
    }

    /// The dialect that the sender of a request expects, whether or not a route is there.
    init(_ request: HTTPRequest) {
        let path = (request.path ?? "").prefix { $0 != "?" }
        let route = path.hasPrefix("/v1/") ? path.dropFirst(3) : path
        if route == "/messages" || route.hasPrefix("/messages/") {
            self = .anthropic
        } else if route == "/models" || route.hasPrefix("/models/"), Dialect.isAnthropic(request) {
            self = .anthropic
        } else {
            self = .openAI
        }
    }

    /// Whether an Anthropic client asks on a route that both dialects have.
    static func isAnthropic(_ request: HTTPRequest) -> Bool {
        request.headerFields.first(.anthropicVersion) != nil
    }

    /// What people call it.
    var name: String {
        switch self {
        case .openAI: "OpenAI's API"
        case .responses: "OpenAI's Responses"
        case .anthropic: "Anthropic's Messages"
        }
    }

    /// - Parameter requestID: of the request that failed.
    func response(_ error: GatewayError, requestID: String) -> (HTTPResponse, HTTPBody?) {
        switch self {
        case .openAI, .responses: OpenAIErrorEnvelope.response(error)
        case .anthropic: AnthropicErrorEnvelope.response(error, requestID: requestID)
        }
    }

    /// Appends the event that ends a broken stream.
    ///
    /// - Parameter answer: what is known of the answer that breaks off.
    func appendEvent(_ error: GatewayError, of answer: BrokenAnswer = BrokenAnswer(), to output: inout [UInt8]) {
        switch self {
        case .openAI: OpenAIErrorEnvelope.appendEvent(error, to: &output)
        case .responses: ResponsesErrorEvent.append(error, of: answer, to: &output)
        case .anthropic: AnthropicErrorEnvelope.appendEvent(error, requestID: answer.requestID, to: &output)
        }
    }
}

/// What an error event says about the answer that it ends, as far as that is known.
struct BrokenAnswer {
    var requestID = ""
    /// JSON literals, quotes included.
    var idLiteral: [UInt8]?
    var modelLiteral: [UInt8]?
    /// Of the next event.
    var sequenceNumber = 0
}
