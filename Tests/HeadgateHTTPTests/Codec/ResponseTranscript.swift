import HTTPTypes
import HeadgateHTTP
import Testing

/// Result of a client's codec for the bytes of one response.
struct ResponseTranscript: Equatable {
    var response: HTTPResponse?
    var bodyLength: BodyLength?
    var closes: Bool?
    var body: [UInt8] = []
    var isComplete = false
    var endsWithConnection = false
    var refusal: HTTPSyntaxError?
    /// Number of bytes after the end of the message.
    var unread = 0

    init(_ pieces: [[UInt8]], method: HTTPRequest.Method = .post, bodyLimit: Int = 1 << 20) {
        var parser = ResponseHeadParser(requestMethod: method)
        var decoder: BodyDecoder?
        do throws(HTTPSyntaxError) {
            for piece in pieces {
                try withExactMemory(piece) { (bytes) throws(HTTPSyntaxError) in
                    try read(bytes, &parser, &decoder, bodyLimit)
                }
            }
        } catch {
            refusal = error
            unread = 0
        }
        endsWithConnection = decoder?.endsWithConnection ?? false
    }

    private mutating func read(
        _ bytes: UnsafeRawBufferPointer, _ parser: inout ResponseHeadParser, _ decoder: inout BodyDecoder?,
        _ bodyLimit: Int
    ) throws(HTTPSyntaxError) {
        var offset = 0
        if response == nil {
            guard let head = try parser.parse(bytes, &offset) else {
                if offset != bytes.count { Issue.record("input was left, though the head is not complete") }
                return
            }
            response = head.response
            bodyLength = head.bodyLength
            closes = head.closes
            decoder = try BodyDecoder(head.bodyLength, limit: bodyLimit)
        }
        while !isComplete, let step = try decoder?.next(bytes, &offset) {
            switch step {
            case .data(let range): body += bytes[range]
            case .needsMore:
                if offset != bytes.count { Issue.record("input was left, though the body is not complete") }
                return
            case .end: isComplete = true
            }
        }
        if offset > bytes.count { Issue.record("offset \(offset) beyond \(bytes.count)") }
        unread += bytes.count - offset
    }
}

/// Returns the transcript of a response, which must not depend on how it is split.
func readResponse(
    _ bytes: [UInt8], method: HTTPRequest.Method = .post, bodyLimit: Int = 1 << 20,
    sourceLocation: SourceLocation = #_sourceLocation
) -> ResponseTranscript {
    everyWay(bytes, sourceLocation: sourceLocation) { ResponseTranscript($0, method: method, bodyLimit: bodyLimit) }
}
