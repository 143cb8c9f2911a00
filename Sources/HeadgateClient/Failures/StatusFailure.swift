internal import HTTPTypes
internal import HeadgateHTTP

/// A response whose status indicates an error.
public struct StatusFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The HTTP status code.
    public var status: Int
    /// Error object in the body; nil if there is none.
    public var error: APIError?
    /// Whether and when to retry the request.
    public var retryHint: RetryHint
    /// Id of the request in the server's log.
    public var requestID: String?

    /// Creates a failure, for example in tests.
    public init(status: Int, error: APIError? = nil, retryHint: RetryHint? = nil, requestID: String? = nil) {
        self.status = status
        self.error = error
        self.retryHint = retryHint ?? RetryHint(isRetryable: RetryHint.isRetryable(status: status), delay: nil)
        self.requestID = requestID
    }

    /// The status with the server's message.
    public var description: String {
        let request = requestID.map { " Request \($0)." } ?? ""
        return "The server answered with status \(status): \(error?.description ?? "no error object.")\(request)"
    }
}

extension StatusFailure {
    /// Maximum bytes of an error's body that are read.
    static let bodyLimit = 1 << 20

    /// - Parameter body: Body of the response. It is dropped unless it is an error object.
    init(_ response: HTTPResponse, body: [UInt8]) {
        let document = try? JSONCoding.decode(JSONValue.self, from: body)
        self.init(
            status: response.status.code,
            // Some servers omit the envelope.
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

/// The id that a server assigns to a request, in a form that is safe for a log.
enum RequestID {
    static let limit = 128

    static func read(_ response: HTTPResponse) -> String? {
        response.headerFields.first(.xRequestID).flatMap(printable)
    }

    /// Returns the visible ASCII characters of a text; nil if there are none. Other characters could end a line or
    /// control a terminal.
    static func printable(_ text: String) -> String? {
        let visible = text.utf8.lazy.filter { $0 > 0x20 && $0 < 0x7F }.prefix(limit)
        return visible.isEmpty ? nil : String(decoding: Array(visible), as: UTF8.self)
    }
}
