internal import HTTPTypes
internal import HeadgateHTTP

/// A response whose status says that the request failed.
public struct StatusFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The HTTP status.
    public var status: Int
    /// Error object in the body, if there is one.
    public var error: APIError?
    /// Whether and when to try again.
    public var retryHint: RetryHint
    /// Names the request in the server's log.
    public var requestID: String?

    /// A failure as tests write it.
    public init(status: Int, error: APIError? = nil, retryHint: RetryHint? = nil, requestID: String? = nil) {
        self.status = status
        self.error = error
        self.retryHint = retryHint ?? RetryHint(isRetryable: RetryHint.isRetryable(status: status), delay: nil)
        self.requestID = requestID
    }

    /// The status with what the server says.
    public var description: String {
        let request = requestID.map { " Request \($0)." } ?? ""
        return "The server answered with status \(status): \(error?.description ?? "no error object.")\(request)"
    }
}

extension StatusFailure {
    /// Bytes of an error's body that are read.
    static let bodyLimit = 1 << 20

    /// - Parameter body: decoded if it is an error object, and dropped otherwise.
    init(_ response: HTTPResponse, body: [UInt8]) {
        let document = try? JSONCoding.decode(JSONValue.self, from: body)
        self.init(
            status: response.status.code,
            // Some servers leave the envelope out.
            error: document.flatMap { APIError(in: $0) ?? APIError(bare: $0) },
            retryHint: RetryHint(response),
            requestID: RequestID.read(response))
    }
}

extension APIError {
    fileprivate init?(bare document: JSONValue) {
        guard case .object(let members) = document, members["message"] != nil else { return nil }
        self.init(member: document)
    }
}

/// The name that a server gives to a request, as far as it is fit for a log.
enum RequestID {
    static let limit = 128

    static func read(_ response: HTTPResponse) -> String? {
        response.headerFields.first(.xRequestID).flatMap(printable)
    }

    /// Visible ASCII alone: what the server says could otherwise end a line or command a terminal.
    static func printable(_ text: String) -> String? {
        let visible = text.utf8.lazy.filter { $0 > 0x20 && $0 < 0x7F }.prefix(limit)
        return visible.isEmpty ? nil : String(decoding: Array(visible), as: UTF8.self)
    }
}
