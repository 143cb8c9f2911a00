internal import HeadgateEventLoop

/// Counts the tasks that run for requests, so that a shutdown can wait for them: with the loops they would stop in
/// their middle.
final class RunningHandlers: Sendable {
    private struct State {
        var count = 0
        var isGivenUp = false
        var waiting: UnsafeContinuation<Void, Never>?
    }

    private let state = Locked(State())

    func begin() { state.withLock { $0.count += 1 } }

    func end() {
        let waiting = state.withLock { state in
            state.count -= 1
            return state.count == 0 ? RunningHandlers.take(&state) : nil
        }
        waiting?.resume()
    }

    /// Waits until none is left, for so long at most. Called once.
    func finish(within grace: Duration) async {
        let bound = Task { [self] in
            do { try await Task.sleep(for: grace) } catch { return }
            giveUp()
        }
        await withUnsafeContinuation { continuation in
            let isOver = state.withLock { state in
                guard state.count > 0, !state.isGivenUp else { return true }
                state.waiting = continuation
                return false
            }
            if isOver { continuation.resume() }
        }
        bound.cancel()
    }

    private func giveUp() {
        let waiting = state.withLock { state in
            state.isGivenUp = true
            return RunningHandlers.take(&state)
        }
        waiting?.resume()
    }

    private static func take(_ state: inout State) -> UnsafeContinuation<Void, Never>? {
        defer { state.waiting = nil }
        return state.waiting
    }
}
