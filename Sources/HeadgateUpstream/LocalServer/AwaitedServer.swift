package import HeadgateHTTP

/// A server on this machine; requests wait until it is ready.
package protocol AwaitedServer: Sendable {
    /// Lets a request through if the server can take it now. True is followed by one call of ``leave()``.
    func enterAtOnce() -> Bool

    /// Returns when the server can take a request. Each return is followed by one call of ``leave()``.
    ///
    /// - Throws: ``TransportError`` of the kind `notReady`, `unavailable` or, for a cancelled task, `cancelled`.
    func enter() async throws

    /// A request has ended. From any thread.
    func leave()

    /// The error for a request whose longest wait is over.
    var notReady: TransportError { get }
}
