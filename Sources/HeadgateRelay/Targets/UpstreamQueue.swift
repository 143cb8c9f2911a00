internal import HeadgateConfiguration
internal import HeadgateHTTP
internal import HeadgatePrimitives

/// A limit on the requests in flight at one upstream, across all event loops. Requests beyond the limit wait in a queue
/// that serves their callers in turn, those of interactive requests first.
package final class UpstreamQueue: Sendable {
    /// The reason why a request does not get a slot.
    enum Refusal: Error {
        /// Too many requests are already waiting.
        case full
        /// No slot became free in time.
        case timedOut
        /// The wait was cancelled.
        case cancelled
        /// The gateway is shutting down.
        case closed
    }

    private let machine = Locked(StateMachine())

    /// Number of requests that have a slot.
    package var inFlight: Int { machine.withLock { $0.inFlight } }

    /// Number of requests that wait for a slot.
    package var waiting: Int { machine.withLock { $0.waiting } }

    /// Requests a slot, on the event loop of the request.
    ///
    /// - Parameters:
    ///   - caller: the name of the caller. Waiting callers of one priority are served in turn.
    ///   - limit: the number of slots. A changed limit applies at once, also to waiting requests.
    ///   - timeout: the maximum wait.
    ///   - completion: called once, on the same event loop, possibly before this method returns; also called if the
    ///     wait is cancelled.
    /// - Returns: a handle that cancels the wait; nil if the request does not wait.
    func enter(
        caller: String, priority: RequestPriority = .interactive, limit: Int, timeout: Duration,
        _ metadata: ServerRequestMetadata,
        completion: @escaping (Result<Slot, Refusal>) -> Void
    ) -> (any Cancellable)? {
        if let slot = enterAtOnce(limit: limit) {
            completion(.success(slot))
            return nil
        }
        let wait = QueuedRequest(self, completion)
        let wake = metadata.waker { wait.admitted() }
        let entry = machine.withLock { $0.enter(caller: caller, priority: priority, limit: limit, wake: wake) }
        // The limit might have grown.
        admitWaiting()
        switch entry {
        case .admitted:
            wait.admitted()
            return nil
        case .full:
            wait.end(.failure(.full))
            return nil
        case .closed:
            wait.end(.failure(.closed))
            return nil
        case .waits(let ticket):
            wait.begin(ticket, timeout, metadata)
            return wait.isOver ? nil : wait
        }
    }

    /// Takes a slot if one is free and no request waits for it.
    func enterAtOnce(limit: Int) -> Slot? {
        machine.withLock { $0.enterAtOnce(limit: limit) } ? Slot(self) : nil
    }

    /// Refuses the requests that wait, and all that would have to wait from now on.
    func close() {
        for wake in machine.withLock({ $0.close() }) { wake() }
    }

    fileprivate var isClosed: Bool { machine.withLock { $0.isClosed } }

    fileprivate func leave() {
        machine.withLock { $0.leave() }
        admitWaiting()
    }

    fileprivate func withdraw(_ ticket: StateMachine.Ticket) -> Bool {
        // The closure is released outside the lock, because it can retain any object.
        let wake = machine.withLock { $0.withdraw(ticket) }
        return wake != nil
    }

    private func admitWaiting() {
        while true {
            let wake = machine.withLock { $0.admitNext() }
            guard let wake else { return }
            wake()
        }
    }

    /// The right to have one request in flight. Loop-confined.
    final class Slot {
        private var queue: UpstreamQueue?

        fileprivate init(_ queue: UpstreamQueue) { self.queue = queue }

        deinit { leave() }

        /// Releases the slot; further calls have no effect.
        func leave() {
            let queue = queue
            self.queue = nil
            queue?.leave()
        }
    }
}

/// A request that waits for a slot. Loop-confined.
private final class QueuedRequest: Cancellable {
    private let queue: UpstreamQueue
    private var ticket: UpstreamQueue.StateMachine.Ticket?
    private var timer: (any Cancellable)?
    private var completion: ((Result<UpstreamQueue.Slot, UpstreamQueue.Refusal>) -> Void)?

    init(_ queue: UpstreamQueue, _ completion: @escaping (Result<UpstreamQueue.Slot, UpstreamQueue.Refusal>) -> Void) {
        self.queue = queue
        self.completion = completion
    }

    var isOver: Bool { completion == nil }

    /// Starts the wait. Another event loop might already have admitted the request; the notification arrives on the
    /// request's own loop.
    func begin(
        _ ticket: UpstreamQueue.StateMachine.Ticket, _ timeout: Duration,
        _ metadata: ServerRequestMetadata
    ) {
        guard !isOver else { return }
        self.ticket = ticket
        timer = metadata.after(timeout) { [self] in fail(.timedOut) }
    }

    func cancel() { fail(.cancelled) }

    private func fail(_ reason: UpstreamQueue.Refusal) {
        guard let ticket else { return }
        // If a slot has already been assigned, the timeout is too late and has no effect. A cancelled request releases
        // the slot when it arrives.
        let isWithdrawn = queue.withdraw(ticket)
        if isWithdrawn || reason == .cancelled { end(.failure(reason)) }
    }

    func admitted() {
        let slot = UpstreamQueue.Slot(queue)
        guard !isOver else { return slot.leave() }
        guard !queue.isClosed else {
            slot.leave()
            return end(.failure(.closed))
        }
        end(.success(slot))
    }

    func end(_ result: Result<UpstreamQueue.Slot, UpstreamQueue.Refusal>) {
        let waiting = completion
        completion = nil
        ticket = nil
        timer?.cancel()
        timer = nil
        waiting?(result)
    }
}
