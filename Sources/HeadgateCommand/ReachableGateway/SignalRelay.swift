import HeadgateEventLoop
import HeadgateLibC
import HeadgatePrimitives

/// Passes signals that would end a command to its current operation. A process can have only one relay, and no
/// ``SignalWatch`` in addition.
final class SignalRelay: Sendable {
    typealias Action = @Sendable (Int32) -> Void

    fileprivate final class Events {
        var signals: [SignalEvent] = []
    }

    private struct State: Sendable {
        var action: Action?
        var last: Int32?
    }

    private let state: Locked<State>
    private let events: LoopBound<Events>

    /// Intercepts the signals, which no longer end the process.
    init(_ signals: [Int32] = [SIGINT, SIGTERM, SIGHUP], group: EventLoopGroup) throws {
        let state = Locked(State())
        self.state = state
        events = try SignalRelay.watch(signals, on: group.loops[0]) { number in
            let action = state.withLock { state in
                state.last = number
                return state.action
            }
            action?(number)
        }
    }

    /// Last signal that was received and not forgotten.
    var last: Int32? { state.withLock { $0.last } }

    /// Forgets a Ctrl-C for an operation that has ended. A signal that ends the command is not forgotten.
    func forget() { state.withLock { if $0.last == SIGINT { $0.last = nil } } }

    /// Sets the action for signals, which runs on the first loop. Nil only records the last signal.
    ///
    /// - Returns: The previous action, to be restored later.
    @discardableResult func set(_ action: Action?) -> Action? {
        state.withLock { state in
            defer { state.action = action }
            return state.action
        }
    }

    /// Restores the default effect of the signals. Must be called before the loops are stopped.
    func end() { Self.end(events) }

    fileprivate static func watch(
        _ signals: [Int32], on loop: EventLoop, _ action: @escaping Action
    ) throws -> LoopBound<Events> {
        try loop.performAndWait {
            let events = Events()
            events.signals = signals.map { number in SignalEvent(loop: loop, signal: number) { action(number) } }
            return LoopBound(events, on: loop)
        }
    }

    fileprivate static func end(_ events: LoopBound<Events>) {
        try? events.loop.performAndWait { events.value.signals = [] }
    }

    /// Watch for further signals, which do not end the command.
    struct Watch {
        private let events: LoopBound<Events>

        /// - Parameter relay: The action runs on this relay's loop.
        init(_ signals: [Int32], like relay: SignalRelay, _ action: @escaping Action) throws {
            events = try SignalRelay.watch(signals, on: relay.events.loop, action)
        }

        /// Ends the watch. Must be called before the loops are stopped.
        func end() { SignalRelay.end(events) }
    }
}

/// Error for a signal that ended the command.
struct Interruption: Error {
    let signal: Int32

    /// Exit code as shells report it.
    var exitCode: Int32 { 128 + signal }
}
