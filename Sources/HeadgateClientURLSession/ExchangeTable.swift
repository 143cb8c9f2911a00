internal import Foundation
internal import HeadgateClient
internal import HeadgatePrimitives

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// Finds the exchange that an event of the session belongs to.
final class ExchangeTable: NSObject, URLSessionDataDelegate {
    private let exchanges = Locked<[Int: URLSessionExchange]>([:])

    func add(_ exchange: URLSessionExchange, for task: URLSessionTask) {
        let identifier = task.taskIdentifier
        exchanges.withLock { $0[identifier] = exchange }
    }

    private func exchange(of task: URLSessionTask) -> URLSessionExchange? {
        let identifier = task.taskIdentifier
        return exchanges.withLock { $0[identifier] }
    }

    func urlSession(
        _: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        exchange(of: dataTask)?.receive(response)
        completionHandler(.allow)
    }

    func urlSession(_: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        exchange(of: dataTask)?.receive(data)
    }

    func urlSession(_: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let identifier = task.taskIdentifier
        exchanges.withLock { $0.removeValue(forKey: identifier) }?.complete(error)
    }

    /// Does not follow redirects: the redirect itself is the response.
    func urlSession(
        _: URLSession, task _: URLSessionTask, willPerformHTTPRedirection _: HTTPURLResponse, newRequest _: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    /// Treats a challenge for a password as the response, because there is no password, and the key has been rejected.
    func urlSession(
        _: URLSession, task _: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let asksForPassword = ExchangeTable.passwordMethods.contains(challenge.protectionSpace.authenticationMethod)
        completionHandler(asksForPassword ? .rejectProtectionSpace : .performDefaultHandling, nil)
    }

    private static let passwordMethods = [
        NSURLAuthenticationMethodDefault, NSURLAuthenticationMethodHTTPBasic, NSURLAuthenticationMethodHTTPDigest,
        NSURLAuthenticationMethodNTLM, NSURLAuthenticationMethodNegotiate,
    ]
}
