/// Bytes that are not a message as the gateway accepts it. Their connection gets a response, is not parsed any further,
/// and is closed.
public struct HTTPSyntaxError: Error, Equatable, CustomStringConvertible {
    /// Status of the response.
    public let status: Int
    /// One sentence for the peer, which never contains input.
    public let explanation: String

    /// The explanation.
    public var description: String { explanation }

    init(_ status: Int, _ explanation: String) {
        self.status = status
        self.explanation = explanation
    }

    static func badRequest(_ explanation: String) -> HTTPSyntaxError { HTTPSyntaxError(400, explanation) }

    static let targetTooLong = HTTPSyntaxError(414, "The request target is longer than 8 KiB.")
    static let headTooLarge = HTTPSyntaxError(
        431, "The header section is larger than 16 KiB or has more than 100 lines.")
    static let unknownTransferCoding = HTTPSyntaxError(501, "The only transfer coding understood is chunked.")
    static let versionNotSupported = HTTPSyntaxError(505, "The protocol must be HTTP/1.1 or HTTP/1.0.")
    static let expectationFailed = HTTPSyntaxError(417, "The only expectation understood is 100-continue.")
    static let lengthRequired = HTTPSyntaxError(411, "The request needs Content-Length or Transfer-Encoding: chunked.")
    static let bareLineEnd = badRequest("Every line must end in CR LF.")

    package static let headTimeout = HTTPSyntaxError(408, "The request head did not arrive in time.")
    package static let bodyTimeout = HTTPSyntaxError(408, "The request body did not arrive in time.")
    package static let atConnectionLimit = HTTPSyntaxError(
        503, "The gateway is at its connection limit. Try again soon.")

    package static func bodyTooLarge(limit: Int) -> HTTPSyntaxError {
        HTTPSyntaxError(413, "The body is larger than the limit of \(limit) bytes.")
    }

    package static let incompleteBody = badRequest("The connection ended before the body was complete.")
}
