import HeadgateEventLoop
import HeadgateUpstream

/// Tells people how the on-device model is doing, each state once, and what to do as soon as it is ready.
final class OnDeviceAnnouncer: Sendable {
    private struct State: Sendable {
        var last: OnDeviceState?
        var firstReady: (@Sendable () -> Void)?
    }

    private let state = Locked(State())
    private let log: LogWriter
    private let output: LogWriter

    /// - Parameters:
    ///   - log: what people read.
    ///   - output: what programs wait for.
    init(log: LogWriter, output: LogWriter) {
        self.log = log
        self.output = output
    }

    /// Sets what to say the first time. Before the model is started.
    func atFirstReady(_ body: @escaping @Sendable () -> Void) {
        state.withLock { $0.firstReady = body }
    }

    func tell(_ new: OnDeviceState) {
        let (isNews, firstReady) = state.withLock { state -> (Bool, (@Sendable () -> Void)?) in
            let isNews = state.last != new
            state.last = new
            guard case .ready = new else { return (isNews, nil) }
            defer { state.firstReady = nil }
            return (isNews, state.firstReady)
        }
        switch new {
        case .starting(let what): if isNews { log.say("  on-device model: \(what)") }
        case .restarting: log.say("headgate: the on-device model ended and is being started again")
        case .failed(let why): log.say("headgate: no on-device model: \(why)")
        case .ready: if let firstReady { firstReady() } else if isNews { output.say("ready again") }
        }
    }
}
