internal import HTTPTypes
internal import HeadgateHTTP

/// Drivers of HTTP/1.1 heads and bodies, each complete in one read, as nearly always.
enum CodecDrivers {
    static let all = [
        Driver(name: "codec-request", unit: "request", result: Samples.request().count) { iterations in
            let bytes = Samples.request()
            var parser = RequestHeadParser()
            return try repeating(iterations) {
                try bytes.withUnsafeBytes { input in
                    var offset = 0
                    guard let head = try parser.parse(input, &offset) else { throw incomplete }
                    return offset + (try decodeBody(head.bodyLength, input, &offset))
                }
            }
        },
        Driver(name: "codec-response", unit: "response", result: Samples.streamHead.count + Samples.event.count) {
            iterations in
            let bytes = Samples.streamHead + Samples.chunked(Samples.event) + Samples.lastChunk
            return try repeating(iterations) {
                var parser = ResponseHeadParser(requestMethod: .post)
                return try bytes.withUnsafeBytes { input in
                    var offset = 0
                    guard let head = try parser.parse(input, &offset) else { throw incomplete }
                    return offset + (try decodeBody(head.bodyLength, input, &offset))
                }
            }
        },
    ]

    private static let incomplete = DriverError("a whole head was not taken for one")

    /// - Returns: the number of bytes of the body.
    private static func decodeBody(
        _ length: BodyLength, _ input: UnsafeRawBufferPointer, _ offset: inout Int
    ) throws -> Int {
        var decoder = try BodyDecoder(length, limit: 1 << 20)
        var octets = 0
        while true {
            switch try decoder.next(input, &offset) {
            case .data(let range): octets += range.count
            case .end: return octets
            case .needsMore: throw DriverError("a whole body was not taken for one")
            }
        }
    }
}

/// Returns the sum of the results of all iterations.
func repeating(_ iterations: Int, _ body: () throws -> Int) rethrows -> Int {
    var sum = 0
    for _ in 0..<iterations { sum += try body() }
    return sum
}
