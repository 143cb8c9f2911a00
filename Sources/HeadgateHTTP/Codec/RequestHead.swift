package import HTTPTypes

/// Head of a request after every framing rule has been applied, as bytes with an index.
package final class RequestHead: Sendable {
    package let method: HTTPRequest.Method
    package let fields: HeadFields
    package let isHTTP10: Bool
    package let bodyLength: BodyLength
    /// Whether the client requests, or its version implies, that the connection ends after the response.
    package let closes: Bool
    package let expectsContinue: Bool
    /// Whether the client requests an explanation of the request (`x-headgate-explain`), with any value.
    package let asksExplanation: Bool
    /// Digest of the credential; nil for a head that is not remembered.
    package let credential: CredentialDigest?
    // Ranges in the bytes of the headers.
    @usableFromInline let pathRange: Range<Int>
    @usableFromInline let authorityRange: Range<Int>

    /// - Parameter head: the lines of the head, each with its CR LF.
    convenience init(_ head: UnsafeRawBufferPointer, limits: HeadLimits) throws(HTTPSyntaxError) {
        guard let lineEnd = head.firstIndex(of: 0x0A, from: 0) else { throw .bareLineEnd }
        let line = try RequestLine(head.slice(0..<(lineEnd - 1)), limits: limits)
        let section = try FieldSection(head, from: lineEnd + 1, isHTTP10: line.isHTTP10)
        try self.init(head, line, section)
    }

    /// Reads a head in one pass, if it is complete and all its lines have their usual form.
    ///
    /// - Parameters:
    ///   - input: bytes that begin with the head.
    ///   - end: set to the end of the head.
    /// - Returns: nil for every other head, valid or not, which must be read line by line.
    static func usual(_ input: UnsafeRawBufferPointer, limits: HeadLimits, end: inout Int) -> RequestHead? {
        guard let lineEnd = HeadReader.startLine(of: input, limits),
            let line = try? RequestLine(input.slice(0..<lineEnd), limits: limits)
        else { return nil }
        var offset = lineEnd + 2
        guard let section = FieldSection(usual: input, from: &offset, limits: limits, isHTTP10: line.isHTTP10),
            let head = try? RequestHead(input.slice(0..<(offset - 2)), line, section)
        else { return nil }
        end = offset
        return head
    }

    private init(
        _ head: UnsafeRawBufferPointer, _ line: RequestLine, _ section: FieldSection
    ) throws(HTTPSyntaxError) {
        authorityRange = try RequestHead.authority(head, line, section)
        try RequestHead.checkBody(line, section)
        if case .unknown = section.expectation, !line.isHTTP10 { throw .expectationFailed }
        method = line.method
        isHTTP10 = line.isHTTP10
        bodyLength = section.isChunked ? .chunked : .fixed(section.contentLength ?? 0)
        expectsContinue = if case .continue100 = section.expectation { !line.isHTTP10 } else { false }
        closes = section.connectionCloses || line.isHTTP10
        asksExplanation = section.contains(.xHeadgateExplain)
        credential = nil

        var bytes: [UInt8] = []
        bytes.reserveCapacity(head.count)
        bytes.append(contentsOf: head)
        if line.authority != nil, line.path.isEmpty || head[line.path.lowerBound] != 0x2F {
            // An absolute-form target without a path means the root.
            pathRange = bytes.count..<(bytes.count + 1 + line.path.count)
            bytes.append(0x2F)
            bytes.append(contentsOf: head[line.path])
        } else {
            pathRange = line.path
        }
        fields = HeadFields(bytes: bytes, entries: section.entries)
    }

    /// - Returns: the range of the authority; empty if an HTTP/1.0 request names none.
    private static func authority(
        _ head: UnsafeRawBufferPointer, _ line: RequestLine, _ section: FieldSection
    ) throws(HTTPSyntaxError) -> Range<Int> {
        if section.host == nil, !line.isHTTP10 { throw .badRequest("The Host field is missing.") }
        if let host = section.host, !Authority.isWellFormed(head.slice(host)) {
            throw .badRequest("The Host field is not host[:port].")
        }
        guard let absolute = line.authority else { return section.host ?? 0..<0 }
        if let host = section.host {
            let named = Authority(String(decoding: head.slice(absolute), as: UTF8.self))
            guard named == Authority(String(decoding: head.slice(host), as: UTF8.self)) else {
                throw .badRequest("The request target and the Host field name different servers.")
            }
        }
        return absolute
    }

    private static func checkBody(_ line: RequestLine, _ section: FieldSection) throws(HTTPSyntaxError) {
        switch line.method {
        case .post, .put, .patch:
            guard section.isChunked || section.contentLength != nil else { throw .lengthRequired }
        case .get, .head:
            guard !section.isChunked, (section.contentLength ?? 0) == 0 else {
                throw .badRequest("A GET or HEAD request has no body.")
            }
        default: break
        }
    }

    /// Creates a request without a connection: for tests, and for bytes that were not a request.
    ///
    /// - Parameter closes: whether the request is the last one on its connection.
    package init(_ request: HTTPRequest, closes: Bool = false) {
        method = request.method
        isHTTP10 = false
        bodyLength = .fixed(0)
        self.closes = closes
        expectsContinue = false
        var start = Array((request.path ?? "/").utf8)
        pathRange = 0..<start.count
        start += Array((request.authority ?? "").utf8)
        authorityRange = pathRange.upperBound..<start.count
        fields = HeadFields(start: start, request.headerFields)
        asksExplanation = fields.value(of: .xHeadgateExplain) != nil
        credential = nil
    }

    /// Creates the head of a request that has the same bytes as another one, except for digits of the body's length.
    init(like other: RequestHead, bytes: [UInt8], bodyLength: BodyLength, credential: CredentialDigest?) {
        method = other.method
        fields = HeadFields(bytes: bytes, entries: other.fields.entries)
        isHTTP10 = other.isHTTP10
        self.bodyLength = bodyLength
        closes = other.closes
        expectsContinue = other.expectsContinue
        asksExplanation = other.asksExplanation
        self.credential = credential
        pathRange = other.pathRange
        authorityRange = other.authorityRange
    }

    /// Calls a closure with the lines of the head, each with its CR LF.
    package func withLines<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        fields.bytes.withUnsafeBytes(body)
    }

    /// Calls `body` with the bytes of the path and its query, or of `*`.
    @inlinable
    package func withPath<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try fields.bytes.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[pathRange])) }
    }

    /// Calls `body` with the bytes of the `Host` header's value, or of the authority of an absolute-form target.
    @inlinable
    package func withAuthority<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try fields.bytes.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[authorityRange])) }
    }

    /// Path in origin-form with its query, or `*`.
    package var path: String { withPath { String(decoding: $0, as: UTF8.self) } }
    /// Authority; empty if an HTTP/1.0 request had none.
    package var authority: String { withAuthority { String(decoding: $0, as: UTF8.self) } }

    /// Request as HTTPTypes; converted each time.
    package var request: HTTPRequest {
        HTTPRequest(
            method: method, scheme: "http", authority: authority, path: path, headerFields: fields.httpFields)
    }
}
