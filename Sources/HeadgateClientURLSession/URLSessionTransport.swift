// HeadgateClientURLSession: the transport of apps, over URLSession. The only target of the library that uses
// Foundation's networking.

public import HTTPTypes
internal import HeadgateClient
public import HeadgateHTTP

#if canImport(FoundationNetworking)
    internal import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// Sends requests by URLSession, and hands their bodies on as they arrive.
///
/// A reader that falls behind makes the server wait, on Apple's systems. On Linux, where URLSession cannot do that, a
/// reader that is 16 MiB behind gets an error.
///
/// No cookie, cache or stored credential takes part, and no redirect is followed: a gateway key must not go elsewhere.
public final class URLSessionTransport: ClientTransport {
    private let session: URLSession
    private let exchanges: ExchangeTable
    private let silenceTimeout: Duration

    /// - Parameters:
    ///   - silenceTimeout: the longest wait for the head, and afterwards between two pieces of a body.
    ///   - configuration: for proxies and the like; a copy of it is used, without cookies, caches and stored
    ///     credentials.
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

    // The session holds its delegate until then, and running tasks can finish.
    deinit { session.finishTasksAndInvalidate() }

    /// Sends a request.
    ///
    /// - Returns: the head, and a `PulledBody`.
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
