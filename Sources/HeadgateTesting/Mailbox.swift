internal import CHeadgate
internal import HeadgateEventLoop
internal import HeadgatePrimitives

/// A queue from loops to awaiting tests. Elements without a waiter are stored.
package final class Mailbox<Element: Sendable>: Sendable {
    private struct Waiter {
        let id: Int
        let deadline: UInt64
        let description: String
        let accepts: (Element) -> Bool
        let continuation: UnsafeContinuation<Element?, any Error>
    }

    private struct State {
        var elements: [Element] = []
        /// The index of the first stored element; the elements before it have been taken.
        var first = 0
        var waiters: [Waiter] = []
        var nextID = 0
        var isClosed = false
        /// The time at which the earliest watchdog task checks the waiters again.
        var watchedAt: UInt64?

        mutating func take(where accepts: (Element) -> Bool) -> Element? {
            guard let index = elements[first...].firstIndex(where: accepts) else { return nil }
            let element = elements[index]
            guard index == first else {
                elements.remove(at: index)
                return element
            }
            first += 1
            if first > 1024, first * 2 > elements.count {
                elements.removeFirst(first)
                first = 0
            }
            return element
        }
    }

    private let state = Locked(State())

    package init() {}

    /// Passes the element to the first waiter that accepts it, or stores it.
    package func post(_ element: Element) {
        let waiter = state.withLock { state -> Waiter? in
            guard let index = state.waiters.firstIndex(where: { $0.accepts(element) }) else {
                state.elements.append(element)
                return nil
            }
            return state.waiters.remove(at: index)
        }
        waiter?.continuation.resume(returning: element)
    }

    /// Closes the queue: present and future waiters get nil if no stored element matches.
    package func close() {
        let waiters = state.withLock { state in
            state.isClosed = true
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.continuation.resume(returning: nil) }
    }

    /// Takes the first element that is accepted, and waits for it if necessary; others stay in order.
    ///
    /// After ``close()`` it returns nil if there is no such element.
    ///
    /// - Parameter description: A description of the element, for the error at the timeout.
    /// - Throws: ``TestFailure/timedOut(waitingFor:)``, or `CancellationError`.
    package func next(
        timeout: Duration, _ description: String, where accepts: @escaping @Sendable (Element) -> Bool = { _ in true }
    ) async throws -> Element? {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        return try await withTaskCancellationHandler {
            try await withUnsafeThrowingContinuation { continuation in
                let waiter = Waiter(
                    id: id, deadline: headgate_monotonic_nanoseconds() &+ timeout.nanoseconds,
                    description: description, accepts: accepts, continuation: continuation)
                register(waiter)
            }
        } onCancel: {
            fail(where: { $0.id == id }, with: { _ in CancellationError() })
        }
    }

    private func register(_ waiter: Waiter) {
        var answer: Result<Element?, any Error>?
        var needsWatchdog = false
        state.withLock { state in
            if let element = state.take(where: waiter.accepts) {
                answer = .success(element)
            } else if state.isClosed {
                answer = .success(nil)
            } else if Task.isCancelled {
                answer = .failure(CancellationError())
            } else {
                state.waiters.append(waiter)
                needsWatchdog = waiter.deadline < state.watchedAt ?? .max
                if needsWatchdog { state.watchedAt = waiter.deadline }
            }
        }
        if let answer { return waiter.continuation.resume(with: answer) }
        if needsWatchdog { watch(until: waiter.deadline) }
    }

    /// Starts one sleeping task for all waiters, instead of a timer for each wait.
    private func watch(until deadline: UInt64) {
        Task { [weak self] in
            var next: UInt64? = deadline
            while let deadline = next {
                let now = headgate_monotonic_nanoseconds()
                if deadline > now { try? await Task.sleep(nanoseconds: deadline - now) }
                next = self?.deadlinePassed()
            }
        }
    }

    /// Fails waiters that have waited too long. Returns the next deadline, if there is one.
    private func deadlinePassed() -> UInt64? {
        let now = headgate_monotonic_nanoseconds()
        fail(where: { $0.deadline <= now }, with: { TestFailure.timedOut(waitingFor: $0.description) })
        return state.withLock { state in
            state.watchedAt = state.waiters.map(\.deadline).min()
            return state.watchedAt
        }
    }

    private func fail(where isMeant: (Waiter) -> Bool, with error: (Waiter) -> any Error) {
        let waiters = state.withLock { state in
            let found = state.waiters.filter(isMeant)
            state.waiters.removeAll(where: isMeant)
            return found
        }
        for waiter in waiters { waiter.continuation.resume(throwing: error(waiter)) }
    }
}
