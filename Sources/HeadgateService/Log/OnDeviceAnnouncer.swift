import HeadgateEventLoop
import HeadgatePrimitives
import HeadgateUpstream

/// Reports the states of the on-device model to people, each once, and what to do as soon as it is ready.
package final class OnDeviceAnnouncer: Sendable {
    private struct State: Sendable {
        var last: OnDeviceState?
        var wasReady = false
        var firstReady: (@Sendable () -> Void)?
    }

    private let state = Locked(State())
    private let log: LogWriter
    private let output: LogWriter

    /// - Parameters:
    ///   - log: log for people.
    ///   - output: output for programs that wait.
    init(log: LogWriter, output: LogWriter) {
        self.log = log
        self.output = output
    }

    /// Sets the closure that is called as soon as the model is ready; at once if it already was.
    package func atFirstReady(_ body: @escaping @Sendable () -> Void) {
        let isReady = state.withLock { state in
            if !state.wasReady { state.firstReady = body }
            return state.wasReady
        }
        if isReady { body() }
    }

    func tell(_ new: OnDeviceState) {
        let (isNews, isFirst, firstReady) = state.withLock { state -> (Bool, Bool, (@Sendable () -> Void)?) in
            let isNews = state.last != new
            state.last = new
            guard case .ready = new else { return (isNews, false, nil) }
            defer { (state.wasReady, state.firstReady) = (true, nil) }
            return (isNews, !state.wasReady, state.firstReady)
        }
        switch new {
        case .starting(let what): if isNews { log.say("  on-device model: \(what)") }
        case .restarting: log.say("headgate: the on-device model ended and is being started again")
        case .failed(let why): log.say("headgate: no on-device model: \(why)")
        case .ready:
            if let firstReady {
                firstReady()
            } else if isFirst {
                log.say("  on-device model: ready")
            } else if isNews {
                output.say("ready again")
            }
        }
    }
}

/// Reports on the programs that the gateway runs for its upstreams.
struct ProgramLog: Sendable {
    let log: LogWriter

    /// - Parameter upstream: the upstream of the program.
    func tell(_ event: LocalServerEvent, upstream: String) {
        switch event {
        case .state(.starting): log.say("headgate: starting the program of '\(upstream)'")
        case .state(.ready): log.say("headgate: the program of '\(upstream)' is ready")
        case .state(.stopping): log.say("headgate: stopping the program of '\(upstream)'")
        case .state(.stopped): break
        case .state(.failed(let reason)): log.say("headgate: the program of '\(upstream)': \(reason)")
        case .output(let line): log.say("  \(upstream): \(line)")
        case .outputLeftOut(let count): log.say("  \(upstream): (\(count) lines left out)")
        }
    }

    /// - Parameter upstream: the upstream of the key.
    func tell(_ event: KeyCommandEvent, upstream: String) {
        switch event {
        case .works: log.say("headgate: the key command of '\(upstream)' has printed a key")
        case .failed(let fault, hasKey: true):
            log.say("headgate: the key command of '\(upstream)' \(fault); the earlier key stays in use")
        case .failed(let fault, hasKey: false):
            log.say("headgate: the key command of '\(upstream)' \(fault); requests are refused until it works")
        }
    }
}
