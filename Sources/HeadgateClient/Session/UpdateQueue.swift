internal import HeadgatePrimitives

/// Queue of a response's updates from the session's task to the reader.
///
/// Pieces are delivered as they arrive. A slow reader blocks the task, and the task blocks the network, so a stalled
/// reader costs at most ``highWater`` bytes and one piece.
final class UpdateQueue: Sendable {
    /// Maximum bytes of waiting pieces; above this, the task waits.
    static let highWater = 64 << 10

    private struct State: Sendable {
        var pieces: [ResponseUpdate] = []
        /// Index of the first waiting piece. Earlier ones have been taken.
        var first = 0
        var weight = 0
        var end: Result<Void, any Error>?
        /// Continuations of the task, the reader, or both, which wait for a change.
        var sleepers: [CheckedContinuation<Void, Never>] = []

        mutating func take() -> ResponseUpdate? {
            guard first < pieces.count else { return nil }
            let piece = pieces[first]
            first += 1
            weight -= piece.weight
            if first == pieces.count || first > 64 {
                pieces.removeFirst(first)
                first = 0
            }
            return piece
        }
    }

    private let state = Locked(State())

    /// Adds an update, and returns when there is room for more or the reader is gone.
    func put(_ update: ResponseUpdate) async {
        change { state in
            guard state.end == nil else { return }
            state.pieces.append(update)
            state.weight += update.weight
        }
        await wait { $0.weight > UpdateQueue.highWater && $0.end == nil }
    }

    /// Ends the queue. Waiting updates can still be read.
    func finish(throwing error: (any Error)? = nil) {
        change { $0.end = $0.end ?? error.map { .failure($0) } ?? .success(()) }
    }

    /// Ends the queue and discards waiting updates.
    func cut() {
        change { $0 = State(end: .success(()), sleepers: $0.sleepers) }
    }

    /// Returns the next update; nil after the last one, and if the task is canceled.
    func next() async throws -> ResponseUpdate? {
        while !Task.isCancelled {
            let (update, end) = change { state in
                let update = state.take()
                let end = update == nil ? state.end : nil
                // An error is thrown only once.
                if end != nil { state.end = .success(()) }
                return (update, end)
            }
            if let update { return update }
            if let end {
                try end.get()
                return nil
            }
            await wait { $0.pieces.isEmpty && $0.end == nil }
        }
        return nil
    }

    private func wait(while isNeeded: @escaping @Sendable (State) -> Bool) async {
        while !Task.isCancelled, state.withLock({ isNeeded($0) }) {
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    let sleeps = state.withLock { state in
                        // The task can be canceled before this waiter is registered.
                        guard isNeeded(state), !Task.isCancelled else { return false }
                        state.sleepers.append(continuation)
                        return true
                    }
                    if !sleeps { continuation.resume() }
                }
            } onCancel: {
                change { _ in }
            }
        }
    }

    /// Changes the state and wakes all waiters.
    private func change<Result: Sendable>(_ body: @Sendable (inout State) -> Result) -> Result {
        let (result, sleepers) = state.withLock { state in
            let result = body(&state)
            let sleepers = state.sleepers
            state.sleepers = []
            return (result, sleepers)
        }
        for sleeper in sleepers { sleeper.resume() }
        return result
    }
}
