internal import HeadgateEventLoop
internal import HeadgatePrimitives

/// Time that passes only when a test says so. What falls due runs on the caller of ``advance(by:)``.
package final class ManualClock: Sendable {
    private struct Alarm {
        let due: UInt64
        let action: () -> Void
    }

    private struct State {
        var now: UInt64
        var alarms: [Alarm] = []
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

    package func schedule(afterNanoseconds nanoseconds: UInt64, _ action: @escaping () -> Void) {
        state.withLock { state in
            state.alarms.append(Alarm(due: state.now &+ nanoseconds, action: action))
        }
        scheduled.post(())
    }

    /// Returns once something has been scheduled that no earlier call returned for: then a test may advance.
    package func untilScheduled(timeout: Duration = .seconds(600)) async throws {
        _ = try await scheduled.next(timeout: timeout, "something to be scheduled on the manual clock")
    }
}

extension Duration {
    /// Never negative, and bounded instead of overflowing.
    package var nanoseconds: UInt64 {
        let (seconds, attoseconds) = components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        return UInt64(min(seconds, 1_000_000_000)) * 1_000_000_000 + UInt64(attoseconds) / 1_000_000_000
    }
}
