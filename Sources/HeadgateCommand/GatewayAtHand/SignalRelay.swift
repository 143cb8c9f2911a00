import Glibc
import HeadgateEventLoop

/// Signals that would end a command, handed to whatever it is doing just then. Only one of these per process, and no
/// ``SignalWatch`` besides.
final class SignalRelay: Sendable {
    typealias Action = @Sendable (Int32) -> Void

    private final class Events {
        var signals: [SignalEvent] = []
    }

    private struct State: Sendable {
        var action: Action?
        var last: Int32?
    }

    private let state: Locked<State>
    private let events: LoopBound<Events>

    /// From now on none of the signals ends the process by itself.
    init(_ signals: [Int32] = [SIGINT, SIGTERM, SIGHUP], group: EventLoopGroup) throws {
        let state = Locked(State())
        self.state = state
        let loop = group.loops[0]
        events = try loop.performAndWait {
            let events = Events()
            events.signals = signals.map { number in
                SignalEvent(loop: loop, signal: number) {
                    let action = state.withLock { state in
                        state.last = number
                        return state.action
                    }
                    action?(number)
                }
            }
            return LoopBound(events, on: loop)
        }
    }

    /// The last signal that came and was not forgotten.
    var last: Int32? { state.withLock { $0.last } }

    func forget() { state.withLock { $0.last = nil } }

    /// Sets what is done about a signal, on the first loop; nil only remembers it.
    func set(_ action: Action?) { state.withLock { $0.action = action } }

    /// Signals act as they did before. Before the loops are stopped.
    func end() {
        let events = events
        try? events.loop.performAndWait { events.value.signals = [] }
    }
}

/// A signal ended the command.
struct Interruption: Error {
    let signal: Int32

    /// As shells report it.
    var exitCode: Int32 { 128 + signal }
}
