package import HTTPTypes

/// Reads request heads, one after the other, from bytes in any fragmentation.
package struct RequestHeadParser {
    private let limits: HeadLimits
    private var reader: HeadReader

    package init(limits: HeadLimits = .request) {
        self.limits = limits
        reader = HeadReader(limits: limits, skipsEmptyLine: true)
    }

    /// Whether a head has begun to arrive.
    package var hasBegun: Bool { reader.hasBegun }

    /// Whether the refused or incomplete head belongs to a HEAD request, so that the error response has no body either.
    package var isOfHeadRequest: Bool { isParsedAsHead || reader.begins(with: "HEAD ") }

    private var isParsedAsHead = false

    /// Consumes input from `offset` up to the end of a head.
    ///
    /// - Returns: nil if the input is used up and the head is incomplete. After an error, the parser must not be used
    ///   again.
    package mutating func parse(
        _ input: UnsafeRawBufferPointer, _ offset: inout Int
    ) throws(HTTPSyntaxError) -> RequestHead? {
        let limits = limits
        isParsedAsHead = false
        var end = 0
        if !reader.hasBegun, let head = RequestHead.usual(input.from(offset), limits: limits, end: &end) {
            offset += end
            return head
        }
        return try reader.read(input, &offset) { (bytes) throws(HTTPSyntaxError) in
            isParsedAsHead = bytes.starts(with: "HEAD ".utf8)
            return try RequestHead(bytes, limits: limits)
        }
    }
}

/// Reads the head of the response to one request. Interim (1xx) heads are skipped, at most eight of them.
package struct ResponseHeadParser {
    private let hasNoBody: Bool
    private var reader = HeadReader(limits: .response, skipsEmptyLine: false)
    private var interim = 0

    package init(requestMethod: HTTPRequest.Method) {
        hasNoBody = requestMethod == .head
    }

    package init(to request: OutgoingHead) { hasNoBody = request.isHeadRequest }

    /// Whether any byte of a head has arrived.
    package var hasBegun: Bool { reader.hasBegun || interim > 0 }

    /// Consumes input from `offset` up to the end of the final head; returns nil if more input is needed.
    package mutating func parse(
        _ input: UnsafeRawBufferPointer, _ offset: inout Int
    ) throws(HTTPSyntaxError) -> ResponseHead? {
        while true {
            guard let head = try next(input, &offset) else { return nil }
            if head.status >= 200 { return head }
            interim += 1
            guard head.status != 101, interim <= 8 else {
                throw .badRequest("The upstream sent a protocol switch or too many interim responses.")
            }
        }
    }

    private mutating func next(
        _ input: UnsafeRawBufferPointer, _ offset: inout Int
    ) throws(HTTPSyntaxError) -> ResponseHead? {
        let hasNoBody = hasNoBody
        var end = 0
        if !reader.hasBegun, let head = ResponseHead.usual(input.from(offset), hasNoBody: hasNoBody, end: &end) {
            offset += end
            return head
        }
        return try reader.read(input, &offset) { (bytes) throws(HTTPSyntaxError) in
            try ResponseHead(bytes, hasNoBody: hasNoBody)
        }
    }
}

/// Limits of a message head, counted as the bytes arrive.
package struct HeadLimits: Sendable {
    /// Maximum bytes of the whole head, including its empty line.
    package var bytes: Int
    /// Maximum number of header lines.
    package var lines: Int
    /// Maximum bytes of the request target.
    package var target: Int

    package static let request = HeadLimits(bytes: 16 * 1024, lines: 100, target: 8 * 1024)
    /// Limits of responses, wider than those of requests, since upstreams set many and long headers.
    package static let response = HeadLimits(bytes: 64 * 1024, lines: 200, target: 64 * 1024)
}
