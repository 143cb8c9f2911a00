package import HTTPTypes

/// A response's head after every framing rule has been applied.
package struct ResponseHead: Sendable {
    package let response: HTTPResponse
    package let bodyLength: BodyLength
    /// Whether the connection ends after the body.
    package let closes: Bool

    /// - Parameters:
    ///   - bytes: the lines, each with its CR LF.
    ///   - requestMethod: a response to HEAD has no body, whatever its fields say.
    init(_ bytes: UnsafeRawBufferPointer, requestMethod: HTTPRequest.Method) throws(HTTPSyntaxError) {
        guard let lineEnd = bytes.firstIndex(of: 0x0A, from: 0) else { throw .bareLineEnd }
        let (status, isHTTP10) = try ResponseHead.readStatusLine(bytes.slice(0..<(lineEnd - 1)))
        let section = try FieldSection(bytes.slice((lineEnd + 1)..<bytes.count), isHTTP10: isHTTP10)
        response = HTTPResponse(status: HTTPResponse.Status(code: status), headerFields: section.fields)
        let hasNoBody = status < 200 || status == 204 || status == 304 || requestMethod == .head
        if hasNoBody {
            bodyLength = .fixed(0)
        } else if section.isChunked {
            bodyLength = .chunked
        } else if let length = section.contentLength {
            bodyLength = .fixed(length)
        } else {
            bodyLength = .untilEnd
        }
        closes = section.connectionCloses || isHTTP10 || bodyLength == .untilEnd
    }

    private static func readStatusLine(
        _ line: UnsafeRawBufferPointer
    ) throws(HTTPSyntaxError) -> (status: Int, isHTTP10: Bool) {
        guard line.count >= 12, ByteClass.equals(line.slice(0..<7), "HTTP/1."), line[7] == 0x30 || line[7] == 0x31,
            line[8] == 0x20, line.slice(9..<12).allSatisfy(ByteClass.isDigit), line.count == 12 || line[12] == 0x20,
            line.slice(12..<line.count).allSatisfy(ByteClass.isFieldContent)
        else { throw .badRequest("The status line is malformed.") }
        let status = line.slice(9..<12).reduce(0) { $0 * 10 + Int($1 - 0x30) }
        guard (100...599).contains(status) else { throw .badRequest("The status code is out of range.") }
        return (status, line[7] == 0x30)
    }
}
