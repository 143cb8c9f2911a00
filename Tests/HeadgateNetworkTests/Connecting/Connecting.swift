import HeadgateEventLoop
import HeadgateNetwork
import HeadgatePrimitives

/// Everything that a test needs to connect.
struct Connecting: Sendable {
    let loop: EventLoop
    var resolver = FakeNames().resolver()
    var policy = AddressPolicy(allowsPrivate: true)
    var proxy: Proxy?
    var timeout = Duration.seconds(30)

    typealias Outcome = Result<ConnectedSocket, Connector.Failure>

    func callAsFunction(_ target: Connector.Target) async -> Outcome { await timed(target).outcome }

    /// Returns the outcome, and the time until it on the loop. A task can wait much longer for its turn among those of
    /// other tests.
    func timed(_ target: Connector.Target) async -> (outcome: Outcome, duration: Duration) {
        // The lock orders the loop's work before the code below: ThreadSanitizer does not see that a continuation does,
        // if it is resumed before its task waits.
        let reached = Locked<(outcome: Outcome, duration: Duration)>((.failure(.timedOut("")), .zero))
        await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
            start(target) { outcome, duration in
                reached.withLock { $0 = (outcome, duration) }
                continuation.resume()
            }
        }
        return reached.withLock { $0 }
    }

    /// - Parameter completion: called on the loop with the outcome and the time until it.
    func start(_ target: Connector.Target, _ completion: @escaping @Sendable (Outcome, Duration) -> Void) {
        loop.execute {
            let begin = ContinuousClock.now
            let connector = Connector(loop: loop, resolver: resolver, policy: policy, proxy: proxy)
            connector.connect(to: target, timeout: timeout) { result in
                // The connector lives until this callback.
                withExtendedLifetime(connector) {
                    completion(result.map { ConnectedSocket($0) }, .now - begin)
                }
            }
        }
    }

    /// Returns the outcome that exists as soon as `connect` returns, without a turn of the loop; nil if there is none
    /// yet.
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
