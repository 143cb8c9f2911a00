internal import HTTPTypes
internal import HeadgateCassettes
internal import HeadgateHTTP
internal import HeadgateRelay

/// Exchange as it happened, with all its secrets. It stays in memory until a ``CassetteMaker`` has masked it.
struct RecordedExchange: Sendable {
    struct Request: Sendable {
        let method: String
        let path: String
        let route: String
        let operation: String
        let fields: [HTTPField]
        /// Body; for a form, the part that has arrived.
        var body: [UInt8]?

        var contentType: String? { fields.first { $0.name == .contentType }?.value }
    }

    struct Response: Sendable {
        let status: Int
        let framing: Cassette.Framing
        let fields: [HTTPField]
        /// Milliseconds since the request.
        let milliseconds: Int
    }

    struct Cut: Sendable {
        /// Offset in the body at which the chunk ends.
        let end: Int
        /// Milliseconds since the head.
        let milliseconds: Int
    }

    var request: Request
    /// Nanoseconds since 1970.
    let began: Int64
    var response: Response?
    var body: [UInt8] = []
    var cuts: [Cut] = []
    var end = Cassette.End(.complete)
}

extension RecordedExchange.Request {
    /// Headers that affect how a request is read; all others can reveal who sent it.
    private static let kept: Set<String> = [
        "accept", "anthropic-beta", "anthropic-version", "content-type", "openai-beta",
    ]

    init(_ request: UpstreamRequest, route: String, body: [UInt8]?) {
        let head = request.head.request
        self.init(
            method: head.method.rawValue, path: head.path ?? "/", route: route, operation: request.operationID,
            fields: head.headerFields.filter { RecordedExchange.Request.kept.contains($0.name.canonicalName) },
            body: body)
    }
}

extension RecordedExchange.Response {
    init(_ head: ResponseHead, milliseconds: Int) {
        let framing: Cassette.Framing =
            switch head.bodyLength {
            case .chunked: .chunked
            case .fixed: .length
            case .untilEnd: .close
            }
        self.init(
            status: head.status, framing: framing, fields: Array(head.fields.httpFields), milliseconds: milliseconds)
    }
}

extension Cassette.EndKind {
    /// Returns nil if the gateway has canceled the exchange.
    init?(_ kind: TransportError.Kind) {
        switch kind {
        case .notReady: self = .notReady
        case .busy: self = .busy
        case .noKey: self = .noKey
        case .unavailable, .notRecorded: self = .unavailable
        case .connect: self = .connect
        case .unreachable: self = .unreachable
        case .connectTimeout: self = .connectTimeout
        case .tls: self = .tls
        case .encoding: self = .encoding
        case .responseTimeout: self = .responseTimeout
        case .silenceTimeout: self = .silenceTimeout
        case .closedBeforeResponse: self = .closedBeforeResponse
        case .truncatedBody: self = .truncatedBody
        case .protocolViolation: self = .protocolViolation
        case .middleware: self = .middleware
        case .cancelled: return nil
        }
    }

    /// Failure of the transport; nil if it has not failed.
    var failure: TransportError.Kind? {
        switch self {
        case .complete, .abandoned: nil
        case .notReady: .notReady
        case .busy: .busy
        case .noKey: .noKey
        case .unavailable: .unavailable
        case .connect: .connect
        case .unreachable: .unreachable
        case .connectTimeout: .connectTimeout
        case .tls: .tls
        case .encoding: .encoding
        case .responseTimeout: .responseTimeout
        case .silenceTimeout: .silenceTimeout
        case .closedBeforeResponse: .closedBeforeResponse
        case .truncatedBody: .truncatedBody
        case .protocolViolation: .protocolViolation
        case .middleware: .middleware
        }
    }
}
