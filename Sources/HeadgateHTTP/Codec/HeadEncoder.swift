package import HTTPTypes

/// Writes message heads. Header values are valid already, since HTTPTypes accepts no CR, LF or NUL in them.
package enum HeadEncoder {
    package enum Framing {
        case fixed(Int)
        case chunked
        /// The body ends with the connection, or there is none (204, 304).
        case none
    }

    /// Appends a response's head: its own lines, `Date`, the request's id, the framing headers and the empty line.
    ///
    /// - Parameters:
    ///   - date: the whole `Date` line, from the line end before it.
    ///   - requestID: the id of the request; empty for none.
    ///   - namesRequest: whether the id is also sent as `request-id`.
    package static func append(
        _ head: ServerResponseHead, framing: Framing, closes: Bool, date: [UInt8], requestID: String,
        namesRequest: Bool, to output: inout [UInt8]
    ) {
        output.append(contentsOf: head.bytes)
        output.append(contentsOf: date)
        if !requestID.isEmpty {
            append("\r\nx-request-id: ", requestID, to: &output)
            if namesRequest { append("\r\nrequest-id: ", requestID, to: &output) }
        }
        appendFraming(framing, closes: closes, to: &output)
    }

    /// Appends the status line and the headers.
    ///
    /// - Parameter status: the status of the response, which HTTPTypes stores as text.
    static func appendLines(of response: HTTPResponse, status: Int, to output: inout [UInt8]) {
        append("HTTP/1.1 ", to: &output)
        appendDecimal(status, to: &output)
        output.append(0x20)
        output.append(contentsOf: reason(status).utf8)
        appendFields(response.headerFields, to: &output)
    }

    private static func append(_ name: StaticString, _ value: String, to output: inout [UInt8]) {
        append(name, to: &output)
        var value = value
        value.withUTF8 { output.append(contentsOf: $0) }
    }

    private static func append(_ text: StaticString, to output: inout [UInt8]) {
        output.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Appends a request's head. `Host` comes from the request's authority.
    package static func append(_ request: HTTPRequest, framing: Framing, to output: inout [UInt8]) {
        appendLines(of: request, to: &output)
        appendFraming(framing, closes: false, to: &output)
    }

    /// Appends the head of a request that is already encoded.
    ///
    /// - Parameter fieldLines: header lines, each with the line end before it.
    package static func append(
        _ head: OutgoingHead, _ fieldLines: [UInt8], framing: Framing, to output: inout [UInt8]
    ) {
        output.append(contentsOf: head.bytes)
        output.append(contentsOf: fieldLines)
        appendFraming(framing, closes: false, to: &output)
    }

    /// Appends the request line and the headers, without those of the framing and without the end of the last line.
    static func appendLines(of request: HTTPRequest, to output: inout [UInt8]) {
        output.append(contentsOf: request.method.rawValue.utf8)
        output.append(0x20)
        output.append(contentsOf: (request.path ?? "/").utf8)
        output.append(contentsOf: " HTTP/1.1\r\nHost: ".utf8)
        output.append(contentsOf: (request.authority ?? "").utf8)
        // Only the writer of a message sets its framing, since two lengths of one body would be two requests for some
        // servers.
        for field in request.headerFields where !isOfFraming(field.name) { append(field, to: &output) }
    }

    /// Appends one chunk of the chunked coding. Appends nothing for empty data, which would end the body.
    package static func appendChunk(_ data: UnsafeRawBufferPointer, to output: inout [UInt8]) {
        appendChunk(about: data.count, to: &output) { $0.append(contentsOf: data) }
    }

    /// Appends one chunk whose data is written in place; nothing, if there is no data.
    ///
    /// - Parameter expected: the approximate number of bytes of data. As many digits as it has are reserved for the
    ///   size.
    /// - Returns: the number of bytes of data.
    @discardableResult
    package static func appendChunk(
        about expected: Int, to output: inout [UInt8], _ append: (inout [UInt8]) -> Void
    ) -> Int {
        let start = output.count
        var digits = hexDigits(of: expected)
        for _ in 0..<digits { output.append(0x30) }
        output.append(0x0D)
        output.append(0x0A)
        append(&output)
        let count = output.count - start - digits - 2
        guard count > 0 else {
            output.removeLast(output.count - start)
            return 0
        }
        if hexDigits(of: count) != digits {
            let free = start..<(start + digits)
            digits = hexDigits(of: count)
            output.replaceSubrange(free, with: repeatElement(0x30, count: digits))
        }
        output.withUnsafeMutableBytes { output in
            var rest = count
            for place in (start..<start + digits).reversed() {
                let digit = UInt8(truncatingIfNeeded: rest) & 15
                output[place] = digit < 10 ? 0x30 + digit : 0x57 + digit
                rest >>= 4
            }
        }
        output.append(0x0D)
        output.append(0x0A)
        return count
    }

    private static func hexDigits(of count: Int) -> Int {
        max(1, (Int.bitWidth - count.leadingZeroBitCount + 3) / 4)
    }

    /// Appends the chunk that ends a body.
    package static func appendLastChunk(to output: inout [UInt8]) {
        output.append(contentsOf: "0\r\n\r\n".utf8)
    }

    /// Returns the reason phrase, which is a constant and never text of an upstream.
    private static func reason(_ status: Int) -> String {
        switch status {
        case 200: "OK"
        case 204: "No Content"
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 408: "Request Timeout"
        case 409: "Conflict"
        case 411: "Length Required"
        case 413: "Content Too Large"
        case 414: "URI Too Long"
        case 415: "Unsupported Media Type"
        case 417: "Expectation Failed"
        case 421: "Misdirected Request"
        case 422: "Unprocessable Content"
        case 426: "Upgrade Required"
        case 429: "Too Many Requests"
        case 431: "Request Header Fields Too Large"
        case 500: "Internal Server Error"
        case 501: "Not Implemented"
        case 502: "Bad Gateway"
        case 503: "Service Unavailable"
        case 504: "Gateway Timeout"
        case 505: "HTTP Version Not Supported"
        case 529: "Overloaded"
        default: "Status"
        }
    }

    private static func appendFields(_ fields: HTTPFields, to output: inout [UInt8]) {
        for field in fields { append(field, to: &output) }
    }

    /// Returns whether a header concerns the framing of a message or its connection, so that the author of the message
    /// does not set it.
    package static func isOfFraming(_ name: HTTPField.Name) -> Bool {
        let name = name.canonicalName
        // The length alone rules out most names.
        return name.utf8.count < Int.bitWidth && framingLengths >> name.utf8.count & 1 == 1
            && framingNames.contains(name)
    }

    private static let framingNames: Set<String> = [
        "connection", "content-length", "expect", "host", "keep-alive", "proxy-connection", "te", "trailer",
        "transfer-encoding", "upgrade",
    ]
    /// A bit for the length of each of these names.
    private static let framingLengths = framingNames.reduce(0) { $0 | 1 << $1.utf8.count }

    /// Appends one line, with the line end before it.
    static func append(_ field: HTTPField, to output: inout [UInt8]) {
        output.append(0x0D)
        output.append(0x0A)
        output.append(contentsOf: field.name.rawName.utf8)
        output.append(0x3A)
        output.append(0x20)
        output.append(contentsOf: field.value.utf8)
    }

    private static func appendFraming(_ framing: Framing, closes: Bool, to output: inout [UInt8]) {
        switch framing {
        case .fixed(let count):
            append("\r\nContent-Length: ", to: &output)
            appendDecimal(count, to: &output)
        case .chunked: append("\r\nTransfer-Encoding: chunked", to: &output)
        case .none: break
        }
        append(closes ? "\r\nConnection: close\r\n\r\n" : "\r\n\r\n", to: &output)
    }

    private static func appendDecimal(_ number: Int, to output: inout [UInt8]) {
        if number >= 10 { appendDecimal(number / 10, to: &output) }
        output.append(0x30 + UInt8(number % 10))
    }
}
