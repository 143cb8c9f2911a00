internal import HeadgateEventLoop

/// Time that passes only when a test says so. What falls due runs on the caller of ``advance(by:)``.
package final class ManualClock: Sendable {
    private struct Alarm {
        let id: Int
        let due: UInt64
        let action: () -> Void
    }

    private struct State {
        var now: UInt64
        var alarms: [Alarm] = []
        var nextID = 0
    }

    private let state: Locked<State>
    private let scheduled = Mailbox<Void>()

    /// - Parameter now: nanoseconds.
    package init(now: UInt64 = 1_000_000_000) { state = Locked(State(now: now)) }

    /// Nanoseconds.
    package var now: UInt64 { state.withLock { $0.now } }

    /// Moves time forward and runs what falls due on the way, in its order, each seeing its own instant as ``now``.
    package func advance(by duration: Duration) {
        let end = now &+ duration.nanoseconds
        while let alarm = takeDue(by: end) { alarm.action() }
        state.withLock { $0.now = max($0.now, end) }
    }

    private func takeDue(by end: UInt64) -> Alarm? {
        state.withLock { state in
            guard let index = state.alarms.indices.min(by: { state.alarms[$0].due < state.alarms[$1].due }),
                state.alarms[index].due <= end
            else { return nil }
            let alarm = state.alarms.remove(at: index)
            state.now = max(state.now, alarm.due)
            return alarm
        }
    }

    /// - Returns: what ``cancel(_:)`` takes.
    @discardableResult
    package func schedule(afterNanoseconds nanoseconds: UInt64, _ action: @escaping () -> Void) -> Int {
        let id = state.withLock { state in
            state.nextID += 1
            state.alarms.append(Alarm(id: state.nextID, due: state.now &+ nanoseconds, action: action))
            return state.nextID
        }
        scheduled.post(())
        return id
    }

    package func cancel(_ id: Int) {
        state.withLock { $0.alarms.removeAll { $0.id == id } }
    }

    /// Returns once time has been advanced that far.
    package func sleep(for duration: Duration) async throws {
        let passed = Mailbox<Void>()
        let id = schedule(afterNanoseconds: duration.nanoseconds) { passed.post(()) }
        defer { cancel(id) }
        _ = try await passed.next(timeout: .seconds(60), "a manual clock that nobody advanced")
    }

    /// Returns once something has been scheduled that no earlier call returned for: then a test may advance.
    package func untilScheduled(timeout: Duration = .seconds(60)) async throws {
        _ = try await scheduled.next(timeout: timeout, "something to be scheduled on the manual clock")
    }
}
