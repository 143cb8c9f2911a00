import HTTPTypes
import HeadgateHTTP
import Testing

/// Result of a server's codec for the bytes of one connection.
struct RequestTranscript: Equatable {
    struct Request: Equatable {
        var request: HTTPRequest
        var isHTTP10: Bool
        var bodyLength: BodyLength
        var closes: Bool
        var expectsContinue: Bool
        var body: [UInt8] = []
        var isComplete = false
    }

    var requests: [Request] = []
    var refusal: HTTPSyntaxError?
    /// Whether another head has begun.
    var hasBegun = false

    init(_ pieces: [[UInt8]], bodyLimit: Int = 1 << 20) {
        var parser = RequestHeadParser()
        var body: BodyDecoder?
        do throws(HTTPSyntaxError) {
            for piece in pieces {
                try withExactMemory(piece) { (bytes) throws(HTTPSyntaxError) in
                    try read(bytes, &parser, &body, bodyLimit)
                }
            }
            hasBegun = parser.hasBegun
        } catch {
            refusal = error
        }
    }

    private mutating func read(
        _ bytes: UnsafeRawBufferPointer, _ parser: inout RequestHeadParser, _ body: inout BodyDecoder?, _ bodyLimit: Int
    ) throws(HTTPSyntaxError) {
        var offset = 0
        while true {
            let before = offset
            defer { if !(before...bytes.count).contains(offset) { Issue.record("offset \(offset) after \(before)") } }
            if body == nil {
                guard let head = try parser.parse(bytes, &offset) else {
                    if offset != bytes.count { Issue.record("input was left, though the head is not complete") }
                    return
                }
                requests.append(
                    Request(
                        request: head.request, isHTTP10: head.isHTTP10, bodyLength: head.bodyLength,
                        closes: head.closes,
                        expectsContinue: head.expectsContinue))
                body = try BodyDecoder(head.bodyLength, limit: bodyLimit)
            } else if let step = try body?.next(bytes, &offset) {
                switch step {
                case .data(let range):
                    if range.isEmpty || range.lowerBound < before || range.upperBound != offset {
                        Issue.record("data \(range) between \(before) and \(offset)")
                    }
                    requests[requests.count - 1].body += bytes[range]
                case .needsMore:
                    if offset != bytes.count { Issue.record("input was left, though the body is not complete") }
                    return
                case .end:
                    requests[requests.count - 1].isComplete = true
                    body = nil
                }
            }
        }
    }
}

/// Returns the transcript of an input, which must not depend on how it is split.
func readRequests(
    _ bytes: [UInt8], bodyLimit: Int = 1 << 20, sourceLocation: SourceLocation = #_sourceLocation
) -> RequestTranscript {
    everyWay(bytes, sourceLocation: sourceLocation) { RequestTranscript($0, bodyLimit: bodyLimit) }
}

/// Returns the status of the refusal of an input, however it is split; nil if it is not refused.
func refusalStatus(_ bytes: [UInt8], sourceLocation: SourceLocation = #_sourceLocation) -> Int? {
    readRequests(bytes, sourceLocation: sourceLocation).refusal?.status
}

/// Returns the only request of an input in every split; it must also be the first of two if a second follows.
func onlyRequest(_ bytes: [UInt8], sourceLocation: SourceLocation = #_sourceLocation) throws
    -> RequestTranscript.Request
{
    let alone = readRequests(bytes, sourceLocation: sourceLocation)
    #expect(alone.refusal == nil, sourceLocation: sourceLocation)
    #expect(alone.requests.count == 1 && !alone.hasBegun, sourceLocation: sourceLocation)
    let request = try #require(alone.requests.first, sourceLocation: sourceLocation)
    #expect(request.isComplete, sourceLocation: sourceLocation)
    let next = head("GET /second HTTP/1.1", "Host: second")
    let both = readRequests(bytes + next, sourceLocation: sourceLocation)
    #expect(both.refusal == nil, sourceLocation: sourceLocation)
    #expect(both.requests == alone.requests + RequestTranscript([next]).requests, sourceLocation: sourceLocation)
    return request
}
