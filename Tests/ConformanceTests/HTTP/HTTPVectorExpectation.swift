/// Requirements of a case on the server.
struct HTTPVectorExpectation: Decodable, Sendable {
    enum Connection: String, Decodable {
        case close, keep, any
    }

    enum Interim: String, Decodable {
        case forbidden
    }

    /// Permitted outcome in the place of one response.
    enum Outcome: Hashable, Sendable {
        case status(Int)
        /// The connection ended without the response.
        case close
        /// The server needs more input: it is silent, and the connection is open.
        case wait
    }

    /// One expected response.
    struct Answer: Decodable, Sendable {
        let allowed: [Outcome]
        let times: Int
        let answersHead: Bool
        let version: String?
        /// Patterns by lower-case header name; nil if the header must be absent.
        let header: [String: String?]
        /// Patterns by lower-case header name, for each status.
        let headerByStatus: [String: [String: String?]]
        let isJSON: Bool
        let bodyNot: String?

        private enum CodingKeys: String, CodingKey {
            case status, times, head, version, header, body
            case headerByStatus = "header_if"
            case bodyNot = "body_not"
        }

        private enum Body: String, Decodable {
            case json
        }

        init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: CodingKeys.self)
            if let single = try? fields.decode(Outcome.self, forKey: .status) {
                allowed = [single]
            } else {
                allowed = try fields.decode([Outcome].self, forKey: .status)
            }
            times = try fields.decodeIfPresent(Int.self, forKey: .times) ?? 1
            answersHead = try fields.decodeIfPresent(Bool.self, forKey: .head) ?? false
            version = try fields.decodeIfPresent(String.self, forKey: .version)
            header = try fields.decodeIfPresent([String: String?].self, forKey: .header) ?? [:]
            headerByStatus =
                try fields.decodeIfPresent([String: [String: String?]].self, forKey: .headerByStatus) ?? [:]
            isJSON = try fields.decodeIfPresent(Body.self, forKey: .body) == .json
            bodyNot = try fields.decodeIfPresent(String.self, forKey: .bodyNot)
        }
    }

    /// Responses in order, with repeated ones written out.
    let answers: [Answer]
    let connection: Connection
    let mostRequests: Int
    let forbidsInterim: Bool
    /// Index of the part that must not be sent before a response.
    let replyBeforePart: Int?

    private enum CodingKeys: String, CodingKey {
        case responses, connection, interim
        case mostRequests = "max_requests_seen"
        case replyBeforePart = "reply_before_part"
    }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        answers = try fields.decode([Answer].self, forKey: .responses)
            .flatMap { Array(repeating: $0, count: $0.times) }
        connection = try fields.decode(Connection.self, forKey: .connection)
        mostRequests = try fields.decode(Int.self, forKey: .mostRequests)
        forbidsInterim = try fields.decodeIfPresent(Interim.self, forKey: .interim) == .forbidden
        replyBeforePart = try fields.decodeIfPresent(Int.self, forKey: .replyBeforePart)
    }
}

extension HTTPVectorExpectation.Outcome: Decodable, CustomStringConvertible {
    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if let status = try? value.decode(Int.self) {
            self = .status(status)
            return
        }
        switch try value.decode(String.self) {
        case "close": self = .close
        case "wait": self = .wait
        case let word:
            throw DecodingError.dataCorruptedError(in: value, debugDescription: "unknown outcome \(word)")
        }
    }

    var description: String {
        switch self {
        case .status(let status): String(status)
        case .close: "close"
        case .wait: "wait"
        }
    }
}
