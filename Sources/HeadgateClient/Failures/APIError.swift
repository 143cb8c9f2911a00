/// The error object of OpenAI-compatible servers and of Anthropic.
public struct APIError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Description of the error, for display. Several messages from a server are joined by line feeds.
    public var message: String
    /// Type of the error, such as `invalid_request_error`.
    public var type: String?
    /// Member of the request that caused the error.
    public var param: String?
    /// Code such as `model_not_found`; some servers send a number.
    public var code: String?

    /// Creates an error.
    public init(message: String, type: String? = nil, param: String? = nil, code: String? = nil) {
        self.message = message
        self.type = type
        self.param = param
        self.code = code
    }

    /// The message with its code.
    public var description: String { (code ?? type).map { "\(message) (\($0))" } ?? message }
}

extension APIError {
    /// Reads the `error` member of a body or an event.
    ///
    /// - Returns: Nil if there is no error, or an empty one (`null`, `{}`, an empty string).
    init?(in document: JSONValue) {
        guard case .object(let members) = document else { return nil }
        self.init(member: members["error"])
    }

    init?(member: JSONValue?) {
        switch member {
        case .string(let text)? where !text.isEmpty: self.init(message: text)
        case .object(let members)? where !members.isEmpty:
            self.init(
                message: APIError.text(members["message"], joinedBy: "; ") ?? "The server gave no message.",
                type: APIError.text(members["type"]), param: APIError.text(members["param"]),
                code: APIError.text(members["code"]))
        default: return nil
        }
    }

    /// Returns a string, the digits of a number, or the joined strings of a list.
    private static func text(_ value: JSONValue?, joinedBy separator: String = ",") -> String? {
        switch value {
        case .string(let text)?: text
        case .integer(let number)?: String(number)
        case .array(let values)?:
            values.compactMap { if case .string(let text) = $0, !text.isEmpty { text } else { nil } }
                .joined(separator: separator)
        default: nil
        }
    }
}
