internal import HeadgateEventLoop

extension LocalServer {
    /// State machine of a local program, which decides when to start, probe, end and restart it. Pure: instants are
    /// monotonic nanoseconds. The owner performs the actions in their order.
    struct StateMachine {
        enum Action: Equatable {
            /// Run the program. A failure is reported to ``spawnFailed(_:at:)``.
            case spawn
            /// Probe the program's health, and forget any earlier probe. The result is reported to
            /// ``checked(_:isHealthy:at:)``.
            case check(Int)
            case cancelCheck
            /// Ask the program to end.
            case terminate
            /// Kill the program.
            case forceEnd
            /// Admit waiting requests.
            case admitWaiting
            /// Fail waiting requests with this error.
            case refuseWaiting(String)
            /// Report that the program has ended permanently.
            case tellStopped
        }

        /// Decision about a request.
        enum Answer: Equatable {
            case admit
            case wait
            case refuse(reason: String, isTemporary: Bool)
        }

        private enum Phase: Equatable {
            case stopped
            case starting(until: UInt64)
            case ready(since: UInt64)
            case stopping(Ending, killAt: UInt64?)
            case failed(String, retryAt: UInt64, isAutomatic: Bool)
            /// Stopped permanently.
            case closed
        }

        private enum Ending: Equatable {
            case idle
            case failure(String)
            case shutdown
        }

        private let name: String
        private let startsAtLaunch: Bool
        private let startTimeout: Duration
        /// Whether a group decides when the program is started.
        private let isGrouped: Bool
        private var phase = Phase.stopped
        private var backoff = RestartBackoff()
        private var checks = 0
        /// Instant of the next probe, or of the timeout of the current one.
        private var checkAt: UInt64 = 0
        private var isChecking = false
        private var checkPause = StateMachine.firstPause

        private static let firstPause: UInt64 = 100_000_000
        private static let longestPause: UInt64 = 1_000_000_000
        private static let checkTimeout: UInt64 = 5_000_000_000
        private static let grace: UInt64 = 2_000_000_000
        /// Nanoseconds after which a ready program has proven its start. A later end resets the backoff.
        private static let provenAfter: UInt64 = 30_000_000_000

        init(name: String, startsAtLaunch: Bool, startTimeout: Duration, isGrouped: Bool = false) {
            self.name = name
            self.startsAtLaunch = startsAtLaunch
            self.startTimeout = startTimeout
            self.isGrouped = isGrouped
        }

        var state: LocalServerState {
            switch phase {
            case .stopped, .closed: .stopped
            case .starting: .starting
            case .ready: .ready
            case .stopping: .stopping
            case .failed(let reason, _, _): .failed(reason)
            }
        }

        /// Instant at which ``timePassed(at:)`` is due; nil if it is not.
        var deadline: UInt64? {
            switch phase {
            case .stopped, .ready, .closed: nil
            case .starting(let until): min(until, checkAt)
            case .stopping(_, let killAt): killAt
            case .failed(_, let retryAt, let isAutomatic): isAutomatic ? retryAt : nil
            }
        }

        // MARK: What happens

        mutating func launch(at now: UInt64) -> [Action] {
            guard startsAtLaunch, phase == .stopped else { return [] }
            return begin(at: now)
        }

        /// Decides about a new request.
        mutating func ask(at now: UInt64) -> (Answer, [Action]) {
            switch phase {
            case .ready: return (.admit, [])
            case .starting, .stopping(.idle, _): return (.wait, [])
            case .stopped: return (.wait, isGrouped ? [] : begin(at: now))
            case .failed(_, let retryAt, _) where retryAt <= now: return (.wait, isGrouped ? [] : begin(at: now))
            case .failed(let reason, _, let isAutomatic):
                return (.refuse(reason: reason, isTemporary: isAutomatic), [])
            case .stopping(.failure(let reason), _): return (.refuse(reason: reason, isTemporary: false), [])
            case .stopping(.shutdown, _), .closed:
                return (.refuse(reason: "\(subject) is being stopped", isTemporary: true), [])
            }
        }

        /// Starts the program, because its group has room for it.
        mutating func permit(at now: UInt64) -> [Action] {
            switch phase {
            case .stopped, .failed: begin(at: now)
            case .starting, .ready, .stopping, .closed: []
            }
        }

        mutating func spawnFailed(_ reason: String, at now: UInt64) -> [Action] {
            guard case .starting = phase else { return [] }
            return fail("\(subject) could not be started: \(reason)", wasReady: false, at: now)
        }

        /// - Parameter isWanted: whether requests are waiting.
        mutating func exited(_ status: ProcessEnd, isWanted: Bool, at now: UInt64) -> [Action] {
            switch phase {
            case .stopped, .failed, .closed: return []
            case .starting:
                isChecking = false
                let reason = "\(subject) ended with \(status) before it was ready\(StateMachine.advice)"
                return [.cancelCheck] + fail(reason, wasReady: false, at: now)
            case .ready(let since):
                if now - since >= StateMachine.provenAfter { backoff.reset() }
                return fail("\(subject) ended with \(status)", wasReady: true, at: now)
            case .stopping(.idle, _):
                phase = .stopped
                return isWanted ? begin(at: now) : []
            case .stopping(.failure(let reason), _): return fail(reason, wasReady: false, at: now)
            case .stopping(.shutdown, _):
                phase = .closed
                return [.tellStopped]
            }
        }

        mutating func checked(_ check: Int, isHealthy: Bool, at now: UInt64) -> [Action] {
            guard case .starting = phase, isChecking, check == checks else { return [] }
            isChecking = false
            guard isHealthy else {
                pauseChecks(at: now)
                return []
            }
            phase = .ready(since: now)
            return [.admitWaiting]
        }

        mutating func timePassed(at now: UInt64) -> [Action] {
            guard let deadline, deadline <= now else { return [] }
            switch phase {
            case .stopped, .ready, .closed: return []
            case .starting(let until) where until <= now:
                isChecking = false
                let reason =
                    "\(subject) was not ready within \(startTimeout.components.seconds) s\(StateMachine.advice)"
                phase = .stopping(.failure(reason), killAt: now + StateMachine.grace)
                return [.cancelCheck, .terminate, .refuseWaiting(reason)]
            case .starting:
                guard !isChecking else {
                    isChecking = false
                    pauseChecks(at: now)
                    return [.cancelCheck]
                }
                isChecking = true
                checks += 1
                checkAt = now + StateMachine.checkTimeout
                return [.check(checks)]
            case .stopping(let ending, _):
                phase = .stopping(ending, killAt: nil)
                return [.forceEnd]
            case .failed: return begin(at: now)
            }
        }

        /// Stops the program because it is no longer needed: it had no request in flight for the configured time, or
        /// another program takes its place.
        mutating func becameIdle(at now: UInt64) -> [Action] {
            guard case .ready = phase else { return [] }
            backoff.reset()
            phase = .stopping(.idle, killAt: now + StateMachine.grace)
            return [.terminate]
        }

        /// Ends the program permanently, because the gateway ends or no longer has this upstream.
        mutating func close(at now: UInt64) -> [Action] {
            let refusal = Action.refuseWaiting("\(subject) is being stopped")
            switch phase {
            case .stopped, .failed, .closed:
                phase = .closed
                return [refusal, .tellStopped]
            case .starting, .ready:
                isChecking = false
                phase = .stopping(.shutdown, killAt: now + StateMachine.grace)
                return [.cancelCheck, .terminate, refusal]
            case .stopping(_, let killAt):
                phase = .stopping(.shutdown, killAt: killAt)
                return [refusal]
            }
        }

        // MARK: Steps

        private static let advice = "; its output is in the gateway's log"

        private var subject: String { "the program of the upstream '\(name)'" }

        private mutating func begin(at now: UInt64) -> [Action] {
            phase = .starting(until: now + startTimeout.clampedNanoseconds)
            isChecking = false
            checkPause = StateMachine.firstPause
            checkAt = now + StateMachine.firstPause
            return [.spawn]
        }

        private mutating func pauseChecks(at now: UInt64) {
            checkAt = now + checkPause
            checkPause = min(checkPause * 2, StateMachine.longestPause)
        }

        /// Handles a failure. A program that was ready is restarted automatically, and so is one that starts with the
        /// gateway. All others wait for a request, as do all programs of a group.
        private mutating func fail(_ reason: String, wasReady: Bool, at now: UInt64) -> [Action] {
            let isAutomatic = !isGrouped && (wasReady || startsAtLaunch)
            phase = .failed(reason, retryAt: now + backoff.next(), isAutomatic: isAutomatic)
            return [.refuseWaiting(reason)]
        }
    }
}
