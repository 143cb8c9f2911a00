internal import HeadgateContract
internal import HeadgateDialects
internal import HeadgateHTTP
internal import HeadgateRelay
internal import ServerSentEvents

/// Messages of one attempt's request and response, for spans that record content. It covers only APIs for
/// conversations, and leaves out documents that are too long to read on the loop.
struct TracedContent {
    /// Messages of the request as JSON.
    let input: String?
    private let format: WireFormat
    private var response: [UInt8] = []
    /// Whether the response is longer than its stored part.
    private var isCut = false

    /// Maximum bytes of the texts of each side.
    static let longest = 16 << 10

    init?(of request: UpstreamRequest) {
        guard let format = WireFormat(operationID: request.operationID), case .bytes(let body)? = request.body,
            body.count <= LongDocument.threshold
        else { return nil }
        self.format = format
        input = TelemetryMessages.ofRequest(body, in: format, limit: TracedContent.longest)
    }

    mutating func read(_ chunk: UnsafeRawBufferPointer) {
        let room = LongDocument.threshold - response.count
        isCut = isCut || chunk.count > room
        response.append(contentsOf: chunk.prefix(room))
    }

    /// Message of the response as JSON; nil if the response has none.
    var output: String? {
        if response.first == UInt8(ascii: "{") {
            return isCut ? nil : TelemetryMessages.ofResponse(response, in: format, limit: TracedContent.longest)
        }
        var stream = TelemetryMessages.Stream(of: format, limit: TracedContent.longest)
        var parser = ServerSentEventParser()
        // Events before a syntax error count.
        response.withUnsafeBytes { bytes in try? parser.parse(bytes) { stream.read($0.data) } }
        return stream.message
    }
}

extension WireFormat {
    /// Creates the format of a request to an upstream; nil if the API is not one for conversations.
    fileprivate init?(operationID: String) {
        switch operationID {
        case OperationTable.createChatCompletion.id: self = .chat
        case OperationTable.createMessage.id: self = .messages
        case OperationTable.createResponse.id: self = .responses
        default: return nil
        }
    }
}
