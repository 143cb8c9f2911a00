#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Error of a call of a generated client, with its request and response as far as they are known. A canceled call
/// throws `CancellationError` instead.
public struct ClientError: Error, CustomStringConvertible, LocalizedError {
    /// Id of the operation.
    public var operationID: String
    /// Request; nil if it could not be created.
    public var request: HTTPRequest?
    public var baseURL: URL?
    /// Response; nil if none was received.
    public var response: HTTPResponse?
    /// Short description of the step that failed.
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

    /// Description for a log. It contains neither the request's query nor a body.
    public var description: String {
        let status = response.map { ", status \($0.status.code)" } ?? ""
        return "\(causeDescription) in '\(operationID)'\(status): \(underlyingError)"
    }

    /// Description of the underlying error.
    public var errorDescription: String? { (underlyingError as? any LocalizedError)?.errorDescription }
}
