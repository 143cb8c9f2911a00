// HeadgateClientURLSession: the transport of apps, with URLSession. No other target of the library uses Foundation's
// networking.

public import HTTPTypes
internal import HeadgateClient
public import HeadgateHTTP

#if canImport(FoundationNetworking)
    internal import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// Sends requests by URLSession, and passes the bodies of responses on as they arrive.
///
/// On Apple's systems, a reader that is slow makes the server wait. On Linux, where URLSession cannot do that, a reader
/// that is 16 MiB behind gets an error.
///
/// No cookies, caches or stored credentials are used, and no redirect is followed, because a gateway key must not be
/// sent elsewhere.
public final class URLSessionTransport: ClientTransport {
    private let session: URLSession
    private let exchanges: ExchangeTable
    private let silenceTimeout: Duration

    /// Creates a transport.
    ///
    /// - Parameters:
    ///   - silenceTimeout: The longest wait for the head, and afterwards between two pieces of a body.
    ///   - configuration: A configuration, for example with a proxy. The transport uses a copy of it without cookies,
    ///     caches and stored credentials.
    public init(
        silenceTimeout: Duration = .seconds(300), configuration: URLSessionConfiguration = .ephemeral
    ) {
        guard let configuration = configuration.copy() as? URLSessionConfiguration else {
            preconditionFailure("the copy of a configuration is one")
        }
        configuration.urlCache = nil
        configuration.urlCredentialStorage = nil
        configuration.httpCookieStorage = nil
        configuration.httpCookieAcceptPolicy = .never
        configuration.httpShouldSetCookies = false
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        self.silenceTimeout = silenceTimeout
        exchanges = ExchangeTable()
        session = URLSession(configuration: configuration, delegate: exchanges, delegateQueue: nil)
    }

    // The session keeps its delegate until running tasks have finished.
    deinit { session.finishTasksAndInvalidate() }

    /// Sends a request.
    ///
    /// - Returns: The head, and a `PulledBody`.
    /// - Throws: `TransportError`, `HeadgateClientError.invalidURL(_:reason:)`, or `CancellationError`.
    public func send(
        _ request: HTTPRequest, body: HTTPBody?, baseURL: BaseURL, operationID _: String
    ) async throws -> (HTTPResponse, HTTPBody?) {
        var message = try URLRequest(request, at: baseURL)
        if let body { message.httpBody = Data(try await body.collect(upTo: .max)) }
        message.timeoutInterval = silenceTimeout.seconds
        let task = session.dataTask(with: message)
        let exchange = URLSessionExchange(task)
        exchanges.add(exchange, for: task)
        let response = try await exchange.head()
        return (response, .stream(URLSessionBody(exchange)))
    }
}

extension Duration {
    fileprivate var seconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
}
