internal import HeadgateEventLoop
internal import HeadgatePrimitives

/// Time that advances only when a test advances it. Due actions run on the caller of ``advance(by:)``.
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

    /// Creates a clock.
    ///
    /// - Parameter now: The time in nanoseconds.
    package init(now: UInt64 = 1_000_000_000) { state = Locked(State(now: now)) }

    /// The time in nanoseconds.
    package var now: UInt64 { state.withLock { $0.now } }

    /// Advances the time and runs the actions that become due, in order. Each sees the time at which it is due as
    /// ``now``.
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

    /// Returns after something has been scheduled for which no earlier call returned. Then a test may advance the time.
    package func untilScheduled(timeout: Duration = .seconds(600)) async throws {
        _ = try await scheduled.next(timeout: timeout, "something to be scheduled on the manual clock")
    }
}

extension Duration {
    /// The duration in nanoseconds, which is never negative, and limited so that it does not overflow.
    package var nanoseconds: UInt64 {
        let (seconds, attoseconds) = components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        return UInt64(min(seconds, 1_000_000_000)) * 1_000_000_000 + UInt64(attoseconds) / 1_000_000_000
    }
}
