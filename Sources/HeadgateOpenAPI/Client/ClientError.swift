#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A call of a generated client has failed, with what is known of its request and response. A cancelled call throws
/// `CancellationError` as it is.
public struct ClientError: Error, CustomStringConvertible, LocalizedError {
    /// The operation's id.
    public var operationID: String
    /// Nil where it could not be made.
    public var request: HTTPRequest?
    public var baseURL: URL?
    /// Nil where none has come.
    public var response: HTTPResponse?
    /// Failed operation, in a few words.
    public var causeDescription: String
    /// Error of a middleware, the transport (`TransportError`), or the encoding or decoding of a value.
    public var underlyingError: any Error

    public init(
        operationID: String, request: HTTPRequest? = nil, baseURL: URL? = nil, response: HTTPResponse? = nil,
        causeDescription: String, underlyingError: any Error
    ) {
        self.operationID = operationID
        self.request = request
        self.baseURL = baseURL
        self.response = response
        self.causeDescription = causeDescription
        self.underlyingError = underlyingError
    }

    /// For a log: the query of the request is not in it, nor a body.
    public var description: String {
        let status = response.map { ", status \($0.status.code)" } ?? ""
        return "\(causeDescription) in '\(operationID)'\(status): \(underlyingError)"
    }

    /// As of the error inside.
    public var errorDescription: String? { (underlyingError as? any LocalizedError)?.errorDescription }
}
