package import HTTPTypes

/// Head of a response after every framing rule has been applied, as bytes with an index.
package struct ResponseHead: Sendable {
    /// Status, from 100 to 599.
    package let status: Int
    package let fields: HeadFields
    package let bodyLength: BodyLength
    /// Whether the connection ends after the body.
    package let closes: Bool

    /// - Parameters:
    ///   - head: the lines of the head, each with its CR LF.
    ///   - hasNoBody: whether the request was HEAD, so that there is no body, regardless of the headers.
    init(_ head: UnsafeRawBufferPointer, hasNoBody: Bool) throws(HTTPSyntaxError) {
        guard let lineEnd = head.firstIndex(of: 0x0A, from: 0) else { throw .bareLineEnd }
        let (status, isHTTP10) = try ResponseHead.readStatusLine(head.slice(0..<(lineEnd - 1)))
        let section = try FieldSection(head, from: lineEnd + 1, isHTTP10: isHTTP10)
        self.init(head, status, section, isHTTP10: isHTTP10, hasNoBody: hasNoBody)
    }

    /// Reads a head in one pass, if it is complete and all its lines have their usual form.
    ///
    /// - Parameters:
    ///   - input: bytes that begin with the head.
    ///   - end: set to the end of the head.
    /// - Returns: nil for every other head, valid or not, which must be read line by line.
    static func usual(_ input: UnsafeRawBufferPointer, hasNoBody: Bool, end: inout Int) -> ResponseHead? {
        guard let lineEnd = HeadReader.startLine(of: input, .response),
            let (status, isHTTP10) = try? ResponseHead.readStatusLine(input.slice(0..<lineEnd))
        else { return nil }
        var offset = lineEnd + 2
        guard let section = FieldSection(usual: input, from: &offset, limits: .response, isHTTP10: isHTTP10) else {
            return nil
        }
        end = offset
        let head = input.slice(0..<(offset - 2))
        return ResponseHead(head, status, section, isHTTP10: isHTTP10, hasNoBody: hasNoBody)
    }

    private init(
        _ head: UnsafeRawBufferPointer, _ status: Int, _ section: FieldSection, isHTTP10: Bool, hasNoBody: Bool
    ) {
        self.status = status
        fields = HeadFields(bytes: Array(head), entries: section.entries)
        var endsWithConnection = false
        if hasNoBody || status < 200 || status == 204 || status == 304 {
            bodyLength = .fixed(0)
        } else if section.isChunked {
            bodyLength = .chunked
        } else if let length = section.contentLength {
            bodyLength = .fixed(length)
        } else {
            bodyLength = .untilEnd
            endsWithConnection = true
        }
        closes = section.connectionCloses || isHTTP10 || endsWithConnection
    }

    /// Creates a head that was not parsed, for middleware and tests.
    package init(_ response: HTTPResponse) {
        status = response.status.code
        fields = HeadFields(response.headerFields)
        bodyLength = .untilEnd
        closes = false
    }

    /// Response as HTTPTypes; converted each time.
    package var response: HTTPResponse {
        HTTPResponse(status: HTTPResponse.Status(code: status), headerFields: fields.httpFields)
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
