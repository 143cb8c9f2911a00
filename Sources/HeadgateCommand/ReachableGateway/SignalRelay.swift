import HeadgateEventLoop
import HeadgateLibC
import HeadgatePrimitives

/// Signals that would end a command, handed to whatever it is doing just then. Only one of these per process, and no
/// ``SignalWatch`` besides.
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

    /// The last signal that came, unless it was forgotten.
    var last: Int32? { state.withLock { $0.last } }

    /// Forgets a Ctrl-C for an operation that is over. A signal that ends the command is not forgotten.
    func forget() { state.withLock { if $0.last == SIGINT { $0.last = nil } } }

    /// Sets what is done about a signal, on the first loop; nil only remembers it.
    ///
    /// - Returns: what was done before, to be set again.
    @discardableResult func set(_ action: Action?) -> Action? {
        state.withLock { state in
            defer { state.action = action }
            return state.action
        }
    }

    /// Signals act as they did before. Before the loops are stopped.
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

    /// Further signals, which mean something else than the end.
    struct Watch {
        private let events: LoopBound<Events>

        /// - Parameter relay: whose loop calls the action.
        init(_ signals: [Int32], like relay: SignalRelay, _ action: @escaping Action) throws {
            events = try SignalRelay.watch(signals, on: relay.events.loop, action)
        }

        /// As ``SignalRelay/end()``.
        func end() { SignalRelay.end(events) }
    }
}

/// A signal ended the command.
struct Interruption: Error {
    let signal: Int32

    /// As shells report it.
    var exitCode: Int32 { 128 + signal }
}
