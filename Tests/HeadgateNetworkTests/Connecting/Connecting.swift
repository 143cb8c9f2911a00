import HeadgateEventLoop
import HeadgateNetwork

/// What one test connects with.
struct Connecting: Sendable {
    let loop: EventLoop
    var resolver = FakeNames().resolver()
    var policy = AddressPolicy(allowsPrivate: true)
    var proxy: Proxy?
    var timeout = Duration.seconds(30)

    typealias Outcome = Result<ConnectedSocket, Connector.Failure>

    func callAsFunction(_ target: Connector.Target) async -> Outcome {
        // The lock orders what the loop did before what follows here: ThreadSanitizer does not see that a continuation
        // does, when it is resumed before its task waits.
        let outcome = Locked<Outcome>(.failure(.timedOut("")))
        await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
            start(target) { reached in
                outcome.withLock { $0 = reached }
                continuation.resume()
            }
        }
        return outcome.withLock { $0 }
    }

    /// - Parameter completion: is called on the loop.
    func start(_ target: Connector.Target, _ completion: @escaping @Sendable (Outcome) -> Void) {
        loop.execute {
            let connector = Connector(loop: loop, resolver: resolver, policy: policy, proxy: proxy)
            connector.connect(to: target, timeout: timeout) { result in
                // The connector lives until here.
                withExtendedLifetime(connector) { completion(result.map { ConnectedSocket($0) }) }
            }
        }
    }

    /// What has already come when `connect` returns, without a turn of the loop: nothing was waited for.
    func atOnce(_ target: Connector.Target) async -> Outcome? {
        await loop.callback {
            let connector = Connector(loop: loop, resolver: resolver, policy: policy, proxy: proxy)
            let outcome = Locked<Outcome?>(nil)
            connector.connect(to: target, timeout: timeout) { result in
                outcome.withLock { $0 = result.map { ConnectedSocket($0) } }
            }
            connector.cancel()
            return outcome.withLock { $0 }
        }
    }
}

extension Result where Success == ConnectedSocket, Failure == Connector.Failure {
    var failure: Connector.Failure? { if case .failure(let failure) = self { failure } else { nil } }
    var socket: ConnectedSocket? { try? get() }
}
