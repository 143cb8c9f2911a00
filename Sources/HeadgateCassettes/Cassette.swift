// HeadgateCassettes: one exchange with an upstream as a text file that people read and that is lossless to the byte.
// Bytes and values only: no files, no clock, no digest. What is left out of a recording is decided by who records.

/// One request to an upstream, and all that came back.
package struct Cassette: Sendable, Equatable {
    /// When it was recorded, for people.
    package var recorded: String?
    /// The operation of `openapi.yaml`.
    package var operation: String?
    /// The model that was asked, by the upstream's name for it.
    package var model: String?
    /// The path behind the base URL, without what only one upstream has in it.
    package var route: String
    /// The digest of the request, where ``request`` does not hold the body as it was sent.
    package var digest: String?
    package var request: Request
    /// Nil where the exchange ended before a head had come.
    package var response: Response?
    package var end: End

    package init(
        recorded: String? = nil, operation: String? = nil, model: String? = nil, route: String, digest: String? = nil,
        request: Request, response: Response?, end: End
    ) {
        self.recorded = recorded
        self.operation = operation
        self.model = model
        self.route = route
        self.digest = digest
        self.request = request
        self.response = response
        self.end = end
    }

    package struct Request: Sendable, Equatable {
        package var method: String
        /// With its query.
        package var path: String
        package var fields: [Field]
        /// Nil for a request that has none.
        package var body: Content?

        package init(method: String, path: String, fields: [Field] = [], body: Content? = nil) {
            self.method = method
            self.path = path
            self.fields = fields
            self.body = body
        }
    }

    package struct Response: Sendable, Equatable {
        package var status: Int
        package var framing: Framing
        /// Milliseconds from the request to the head.
        package var milliseconds: Int
        package var fields: [Field]
        /// As they were read from the connection.
        package var chunks: [Chunk]

        package init(
            status: Int, framing: Framing = .chunked, milliseconds: Int = 0, fields: [Field] = [], chunks: [Chunk] = []
        ) {
            self.status = status
            self.framing = framing
            self.milliseconds = milliseconds
            self.fields = fields
            self.chunks = chunks
        }
    }

    package struct Field: Sendable, Equatable {
        /// Lower case.
        package let name: String
        package var value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// How the body of a response was framed.
    package enum Framing: String, Sendable, CaseIterable {
        case chunked
        /// By a Content-Length.
        case length
        /// By the end of the connection.
        case close
    }

    package struct Chunk: Sendable, Equatable {
        /// Since the head.
        package var milliseconds: Int
        package var content: Content

        package init(milliseconds: Int, _ content: Content) {
            self.milliseconds = milliseconds
            self.content = content
        }
    }

    package enum Content: Sendable, Equatable {
        case bytes([UInt8])
        /// Only the number of bytes.
        case leftOut(Int)

        package var bytes: [UInt8]? {
            if case .bytes(let bytes) = self { bytes } else { nil }
        }
    }

    package struct End: Sendable, Equatable {
        package var kind: EndKind
        /// Milliseconds since the head; since the request if there is no head.
        package var milliseconds: Int
        /// Message of the system or the codec about a failure; one line.
        package var detail: String

        package init(_ kind: EndKind, milliseconds: Int = 0, detail: String = "") {
            self.kind = kind
            self.milliseconds = milliseconds
            self.detail = detail
        }
    }

    /// How an exchange ended.
    package enum EndKind: String, Sendable, CaseIterable {
        /// The body ended as its framing says.
        case complete
        /// The client disconnected.
        case abandoned
        // Before a head.
        case connect
        case unreachable
        case connectTimeout = "connect_timeout"
        case tls
        case notReady = "not_ready"
        case busy
        case noKey = "no_key"
        case unavailable
        case responseTimeout = "response_timeout"
        case closedBeforeResponse = "closed_before_response"
        case middleware
        // Inside the body.
        /// The connection ended, or was reset.
        case truncatedBody = "truncated_body"
        case silenceTimeout = "silence_timeout"
        case encoding
        case protocolViolation = "protocol_violation"
    }

    /// The name of a model as it is written and read: the first 256 bytes of a longer one.
    package static func shortened(_ name: String, to longest: Int = 256) -> String {
        var bytes = name.utf8.prefix(longest)
        // Characters stay whole.
        while String(bytes) == nil { bytes = bytes.dropLast() }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The whole body of the response; nil if bytes of it were left out.
    package var responseBody: [UInt8]? {
        var body: [UInt8] = []
        for chunk in response?.chunks ?? [] {
            guard let bytes = chunk.content.bytes else { return nil }
            body += bytes
        }
        return body
    }
}

/// Reason why a file is not a cassette.
package struct CassetteError: Error, Equatable, CustomStringConvertible {
    /// From 1.
    package let line: Int
    package let problem: String

    package var description: String { "\(line): error: \(problem)" }
}
