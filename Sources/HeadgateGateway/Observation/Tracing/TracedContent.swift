internal import HeadgateContract
internal import HeadgateDialects
internal import HeadgateHTTP
internal import HeadgateRelay
internal import ServerSentEvents

/// What was asked and answered in one attempt, for spans that are to hold it. Only of APIs for conversations; of what
/// is too long for the loop to read, nothing is told.
struct TracedContent {
    /// Messages as JSON.
    let input: String?
    private let format: WireFormat
    private var response: [UInt8] = []
    /// Whether the response is longer than what is kept of it.
    private var isCut = false

    /// Octets of the texts of each side.
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

    /// A message as JSON; nil for what is no answer.
    var output: String? {
        if response.first == UInt8(ascii: "{") {
            return isCut ? nil : TelemetryMessages.ofResponse(response, in: format, limit: TracedContent.longest)
        }
        var stream = TelemetryMessages.Stream(of: format, limit: TracedContent.longest)
        var parser = ServerSentEventParser()
        // What came before a fault counts.
        response.withUnsafeBytes { bytes in try? parser.parse(bytes) { stream.read($0.data) } }
        return stream.message
    }
}

extension WireFormat {
    /// What an upstream is asked in.
    fileprivate init?(operationID: String) {
        switch operationID {
        case OperationTable.createChatCompletion.id: self = .chat
        case OperationTable.createMessage.id: self = .messages
        case OperationTable.createResponse.id: self = .responses
        default: return nil
        }
    }
}
