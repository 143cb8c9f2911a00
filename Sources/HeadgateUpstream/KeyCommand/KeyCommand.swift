internal import CHeadgate
package import HeadgateConfiguration
package import HeadgateEventLoop
internal import HeadgateHTTP
internal import HeadgatePrimitives

/// Program that prints the key of an upstream, run on a side loop, and the key that it printed last.
package final class KeyCommand: Sendable {
    /// State that is read on any thread.
    struct Published: Sendable {
        var key: NumberedKey?
        /// Newest key, followed by its predecessors.
        var known: [Secret] = []
        var isRunning = false
        var fault: String?
        /// Number of requests that wait for a key.
        var awaited = 0
    }

    private let upstream: String
    private let loop: EventLoop
    private let published: Locked<Published>
    private let runner: LoopBound<KeyCommandRunner>

    /// - Parameters:
    ///   - loop: a loop whose thread serves no requests.
    ///   - environment: the environment of this process; the program inherits a few of its variables.
    ///   - observer: called on the loop.
    package init(
        _ configuration: KeyCommandConfiguration, of upstream: String, loop: EventLoop, environment: [String: String],
        observer: @escaping @Sendable (KeyCommandEvent) -> Void
    ) {
        self.upstream = upstream
        self.loop = loop
        published = Locked(Published())
        runner = LoopBound(
            KeyCommandRunner(
                configuration, loop: loop, environment: environment, published: published, observer: observer),
            on: loop)
    }

    /// Runs the program for the first time. Can be called from any thread.
    package func launch() {
        let runner = runner
        loop.execute { runner.value.launch() }
    }

    /// Ends the program permanently. Can be called from any thread; `done` is called on the side loop.
    package func stop(_ done: @escaping @Sendable () -> Void) {
        let runner = runner
        loop.execute { runner.value.stop(done) }
    }

    /// Keys to redact in all texts: the newest one and its predecessors.
    package var known: [Secret] { published.withLock { $0.known } }

    /// State for people, without the key.
    package var status: String {
        let state = published.withLock { $0 }
        if let fault = state.fault {
            return state.key == nil ? "no key: the command \(fault)" : "earlier key: the command \(fault)"
        }
        if state.key == nil { return state.isRunning ? "the command has not finished yet" : "the command has not run" }
        return "ready"
    }

    /// Whether a request waits for a key.
    package var isAwaited: Bool { published.withLock { $0.awaited > 0 } }

    // MARK: Requests

    /// Returns the key, if it can be used now.
    func current() -> NumberedKey? {
        guard let key = published.withLock({ $0.key }) else { return nil }
        guard let expiry = key.issued.expiry else { return key }
        return headgate_realtime_nanoseconds() / 1_000_000_000 < expiry ? key : nil
    }

    /// Waits for a usable key.
    ///
    /// - Parameters:
    ///   - refused: the number of the key that the upstream refused; nil if none was.
    ///   - completion: called once on the current loop, after this returns; with the refused key if there is no other.
    func wait(
        insteadOf refused: Int? = nil, _ completion: @escaping (Result<NumberedKey, TransportError>) -> Void
    ) -> any Cancellable {
        let (runner, home) = (runner, EventLoop.current)
        published.withLock { $0.awaited += 1 }
        let waiter = KeyWaiter { [self] result in
            published.withLock { $0.awaited -= 1 }
            completion(result)
        }
        let bound = LoopBound(waiter, on: home)
        let (name, ticket) = (upstream, KeyTicket())
        let tell: @Sendable (KeyCommand.StateMachine.Answer) -> Void = { answer in
            home.execute { bound.value.finish(KeyCommand.result(answer, of: name)) }
        }
        loop.execute { runner.value.ask(ticket, insteadOf: refused, tell) }
        waiter.forget = { [loop] in loop.execute { runner.value.forget(ticket) } }
        return waiter
    }

    /// Notes a refused key, so that later requests get another one.
    func refuse(_ number: Int) {
        let runner = runner
        loop.execute { runner.value.ask(KeyTicket(), insteadOf: number) { _ in } }
    }

    /// Error of a request that has waited for the maximum time.
    var notFinished: TransportError {
        TransportError(.noKey, "the key command of the upstream '\(upstream)' has not finished yet")
    }

    private static func result(
        _ answer: StateMachine.Answer, of upstream: String
    ) -> Result<NumberedKey, TransportError> {
        switch answer {
        case .key(let key): .success(key)
        case .failed(let fault):
            .failure(TransportError(.noKey, "the key command of the upstream '\(upstream)' \(fault)"))
        case .wait: .failure(TransportError(.cancelled))
        }
    }
}

/// Identity of a request that waits for a key.
final class KeyTicket: Sendable {}

/// A request that waits for a key. Loop-confined.
private final class KeyWaiter: Cancellable {
    private var completion: ((Result<NumberedKey, TransportError>) -> Void)?
    var forget: () -> Void = {}

    init(_ completion: @escaping (Result<NumberedKey, TransportError>) -> Void) { self.completion = completion }

    func finish(_ result: Result<NumberedKey, TransportError>) { completion.take()?(result) }

    func cancel() {
        forget()
        finish(.failure(TransportError(.cancelled)))
    }
}
