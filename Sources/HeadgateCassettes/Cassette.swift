// HeadgateCassettes: one exchange with an upstream as a text file that is readable and loses no byte. The module has
// bytes and values only: no files, no clock, no digest. The code that records decides what to leave out.

/// One request to an upstream, and the whole response.
package struct Cassette: Sendable, Equatable {
    /// The time when it was recorded, for readers.
    package var recorded: String?
    /// The operation of `openapi.yaml`.
    package var operation: String?
    /// The requested model, by the upstream's name for it.
    package var model: String?
    /// The path after the base URL, without the parts that only one upstream has.
    package var route: String
    /// The digest of the request, if ``request`` does not have the body as it was sent.
    package var digest: String?
    package var request: Request
    /// The response; nil if the exchange ended before its head arrived.
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
        /// The path with its query.
        package var path: String
        package var fields: [Field]
        /// The body; nil for a request without one.
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
        /// The milliseconds from the request to the head.
        package var milliseconds: Int
        package var fields: [Field]
        /// The chunks of the body as they were read from the connection.
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
        /// The name in lower case.
        package let name: String
        package var value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The framing of the body of a response.
    package enum Framing: String, Sendable, CaseIterable {
        case chunked
        /// A Content-Length.
        case length
        /// The end of the connection.
        case close
    }

    package struct Chunk: Sendable, Equatable {
        /// The milliseconds since the head.
        package var milliseconds: Int
        package var content: Content

        package init(milliseconds: Int, _ content: Content) {
            self.milliseconds = milliseconds
            self.content = content
        }
    }

    package enum Content: Sendable, Equatable {
        case bytes([UInt8])
        /// The number of bytes that were left out.
        case leftOut(Int)

        package var bytes: [UInt8]? {
            if case .bytes(let bytes) = self { bytes } else { nil }
        }
    }

    package struct End: Sendable, Equatable {
        package var kind: EndKind
        /// The milliseconds since the head; since the request if there is no head.
        package var milliseconds: Int
        /// The system's or the codec's message about a failure, in one line.
        package var detail: String

        package init(_ kind: EndKind, milliseconds: Int = 0, detail: String = "") {
            self.kind = kind
            self.milliseconds = milliseconds
            self.detail = detail
        }
    }

    /// How an exchange ended.
    package enum EndKind: String, Sendable, CaseIterable {
        /// The body ended as its framing requires.
        case complete
        /// The client disconnected.
        case abandoned
        // Failures before a head.
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
        // Failures inside the body.
        /// The connection ended, or was reset.
        case truncatedBody = "truncated_body"
        case silenceTimeout = "silence_timeout"
        case encoding
        case protocolViolation = "protocol_violation"
    }

    /// Returns the name of a model as cassettes have it: the first 256 bytes of a longer one.
    package static func shortened(_ name: String, to longest: Int = 256) -> String {
        var bytes = name.utf8.prefix(longest)
        // Characters are not cut.
        while String(bytes) == nil { bytes = bytes.dropLast() }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The whole body of the response; nil if some of its bytes were left out.
    package var responseBody: [UInt8]? {
        var body: [UInt8] = []
        for chunk in response?.chunks ?? [] {
            guard let bytes = chunk.content.bytes else { return nil }
            body += bytes
        }
        return body
    }
}

/// The reason why a file is not a cassette.
package struct CassetteError: Error, Equatable, CustomStringConvertible {
    /// The number of the line, from 1.
    package let line: Int
    package let problem: String

    package var description: String { "\(line): error: \(problem)" }
}
