package import HTTPTypes

/// How the body that follows a head is delimited.
package enum BodyLength: Equatable, Sendable {
    case fixed(Int)
    case chunked
    /// By the end of the connection (responses only).
    case untilEnd
}

/// A request's head after every framing rule has been applied.
package struct RequestHead: Sendable {
    /// Origin-form path, or `*`; `authority` is the Host field's value, empty when an HTTP/1.0 request had none.
    package let request: HTTPRequest
    package let isHTTP10: Bool
    package let bodyLength: BodyLength
    /// Whether the client asked for, or its version implies, the end of the connection after the reply.
    package let closes: Bool
    package let expectsContinue: Bool

    /// Stands for bytes that were no request: refused, without a body, the last on its connection.
    package init(refused request: HTTPRequest) {
        self.request = request
        isHTTP10 = false
        bodyLength = .fixed(0)
        closes = true
        expectsContinue = false
    }

    /// - Parameter bytes: the lines, each with its CR LF.
    init(_ bytes: UnsafeRawBufferPointer, limits: HeadLimits) throws(HTTPSyntaxError) {
        guard let lineEnd = bytes.firstIndex(of: 0x0A, from: 0) else { throw .bareLineEnd }
        let line = try RequestLine(bytes.slice(0..<(lineEnd - 1)), limits: limits)
        let section = try FieldSection(bytes.slice((lineEnd + 1)..<bytes.count), isHTTP10: line.isHTTP10)
        isHTTP10 = line.isHTTP10

        if section.host == nil, !line.isHTTP10 { throw .badRequest("The Host field is missing.") }
        var authority = section.host ?? ""
        if let host = section.host, !Authority.isWellFormed(host) {
            throw .badRequest("The Host field is not host[:port].")
        }
        if let absolute = line.authority {
            guard let named = Authority(absolute), section.host == nil || Authority(authority) == named else {
                throw .badRequest("The request target and the Host field name different servers.")
            }
            authority = absolute
        }

        switch line.method {
        case .get, .head:
            guard !section.isChunked, (section.contentLength ?? 0) == 0 else {
                throw .badRequest("A GET or HEAD request has no body.")
            }
        case .post, .put, .patch:
            guard section.isChunked || section.contentLength != nil else { throw .lengthRequired }
        default: break
        }
        bodyLength = section.isChunked ? .chunked : .fixed(section.contentLength ?? 0)
        if section.expectation == .unknown, !line.isHTTP10 { throw .expectationFailed }
        expectsContinue = section.expectation == .continue100 && !line.isHTTP10
        closes = section.connectionCloses || line.isHTTP10
        request = HTTPRequest(
            method: line.method, scheme: "http", authority: authority, path: line.path, headerFields: section.fields)
    }
}
