internal import CHeadgate
package import HeadgateConfiguration
package import HeadgateEventLoop
internal import HeadgateHTTP
internal import HeadgatePrimitives

/// A program that prints the key of an upstream, run on a side loop, and the key that it printed last.
package final class KeyCommand: Sendable {
    /// State that any thread reads.
    struct Published: Sendable {
        var key: NumberedKey?
        /// The newest key first, then those before it.
        var known: [Secret] = []
        var isRunning = false
        var fault: String?
        /// Requests that wait for a key.
        var awaited = 0
    }

    private let upstream: String
    private let loop: EventLoop
    private let published: Locked<Published>
    private let runner: LoopBound<KeyCommandRunner>

    /// - Parameters:
    ///   - loop: loop whose thread no request uses.
    ///   - environment: environment of this process; the program gets a few variables of it.
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

    /// Runs the program for the first time. From any thread.
    package func launch() {
        let runner = runner
        loop.execute { runner.value.launch() }
    }

    /// Ends the program for good. From any thread; `done` is called on the side loop.
    package func stop(_ done: @escaping @Sendable () -> Void) {
        let runner = runner
        loop.execute { runner.value.stop(done) }
    }

    /// Keys that no text may repeat: the newest one, and those before it.
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

    /// The key, if it can be used now.
    func current() -> NumberedKey? {
        guard let key = published.withLock({ $0.key }) else { return nil }
        guard let expiry = key.issued.expiry else { return key }
        return headgate_realtime_nanoseconds() / 1_000_000_000 < expiry ? key : nil
    }

    /// Waits for a key that can be used.
    ///
    /// - Parameters:
    ///   - refused: number of the key that the upstream has refused; nil if none was.
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

    /// Notes a refused key for the requests that follow.
    func refuse(_ number: Int) {
        let runner = runner
        loop.execute { runner.value.ask(KeyTicket(), insteadOf: number) { _ in } }
    }

    /// The error of a request that has waited for long enough.
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
