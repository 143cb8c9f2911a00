internal import HeadgateHTTP
internal import HeadgatePrimitives

/// Bounds the requests in flight at one upstream, over all loops. Beyond the bound requests wait, in turn of their
/// callers.
package final class UpstreamQueue: Sendable {
    /// Why a request gets no slot.
    enum Refusal: Error {
        /// Too many wait already.
        case full
        /// None became free in time.
        case timedOut
        /// The wait was cancelled.
        case cancelled
    }

    private let machine = Locked(StateMachine())

    /// Requests that have a slot.
    package var inFlight: Int { machine.withLock { $0.inFlight } }

    /// Requests that wait for one.
    package var waiting: Int { machine.withLock { $0.waiting } }

    /// Asks for a slot, on the loop of the request.
    ///
    /// - Parameters:
    ///   - caller: its name: callers that wait are served in turn.
    ///   - limit: of slots. A new one holds from now on, for those that wait too.
    ///   - timeout: of the wait.
    ///   - completion: called once, on the same loop, perhaps before this returns; also for a cancelled wait.
    /// - Returns: what cancels the wait; nil when there is none.
    func enter(
        caller: String, limit: Int, timeout: Duration, _ metadata: ServerRequestMetadata,
        completion: @escaping (Result<Slot, Refusal>) -> Void
    ) -> (any Cancellable)? {
        if let slot = enterAtOnce(limit: limit) {
            completion(.success(slot))
            return nil
        }
        let wait = QueuedRequest(self, completion)
        let wake = metadata.waker { wait.admitted() }
        let entry = machine.withLock { $0.enter(caller: caller, limit: limit, wake: wake) }
        // The limit may have grown.
        admitWaiting()
        switch entry {
        case .admitted:
            wait.admitted()
            return nil
        case .full:
            wait.end(.failure(.full))
            return nil
        case .waits(let ticket):
            wait.begin(ticket, timeout, metadata)
            return wait.isOver ? nil : wait
        }
    }

    /// A slot, if one is free and nobody waits for it.
    func enterAtOnce(limit: Int) -> Slot? {
        machine.withLock { $0.enterAtOnce(limit: limit) } ? Slot(self) : nil
    }

    fileprivate func leave() {
        machine.withLock { $0.leave() }
        admitWaiting()
    }

    fileprivate func withdraw(_ ticket: FairQueue<StateMachine.Wake>.Ticket) -> Bool {
        // Released after the lock: it may hold anything.
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
    package final class Slot {
        private var queue: UpstreamQueue?

        fileprivate init(_ queue: UpstreamQueue) { self.queue = queue }

        deinit { leave() }

        /// Gives it back; once is enough.
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
    private var ticket: FairQueue<UpstreamQueue.StateMachine.Wake>.Ticket?
    private var timer: (any Cancellable)?
    private var completion: ((Result<UpstreamQueue.Slot, UpstreamQueue.Refusal>) -> Void)?

    init(_ queue: UpstreamQueue, _ completion: @escaping (Result<UpstreamQueue.Slot, UpstreamQueue.Refusal>) -> Void) {
        self.queue = queue
        self.completion = completion
    }

    var isOver: Bool { completion == nil }

    /// Another loop may have admitted it already: it hears of that on its own one.
    func begin(
        _ ticket: FairQueue<UpstreamQueue.StateMachine.Wake>.Ticket, _ timeout: Duration,
        _ metadata: ServerRequestMetadata
    ) {
        guard !isOver else { return }
        self.ticket = ticket
        timer = metadata.after(timeout) { [self] in giveUp(.timedOut) }
    }

    func cancel() { giveUp(.cancelled) }

    private func giveUp(_ reason: UpstreamQueue.Refusal) {
        guard let ticket else { return }
        // With a slot on its way, a timeout has come too late; a cancelled request gives it back when it comes.
        let isWithdrawn = queue.withdraw(ticket)
        if isWithdrawn || reason == .cancelled { end(.failure(reason)) }
    }

    func admitted() {
        let slot = UpstreamQueue.Slot(queue)
        guard !isOver else { return slot.leave() }
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
