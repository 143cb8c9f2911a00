internal import HeadgateEventLoop

extension LocalServer {
    /// When a program is started, asked for its health, ended and started again. Pure: instants are monotonic
    /// nanoseconds, and its owner does what the actions say, in their order.
    struct StateMachine {
        enum Action: Equatable {
            /// Run the program; on failure tell ``spawnFailed(_:at:)``.
            case spawn
            /// Ask for the program's health and tell ``checked(_:isHealthy:at:)``; forget any earlier question.
            case check(Int)
            case cancelCheck
            /// Ask the program to end.
            case terminate
            /// End it without asking.
            case forceEnd
            /// Admit waiting requests.
            case admitWaiting
            /// Waiting requests fail with this error.
            case refuseWaiting(String)
            /// The program has ended for good.
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
            /// Stopped for good.
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
        /// When to ask again, or when an unanswered question counts as no.
        private var checkAt: UInt64 = 0
        private var isChecking = false
        private var checkPause = StateMachine.firstPause

        private static let firstPause: UInt64 = 100_000_000
        private static let longestPause: UInt64 = 1_000_000_000
        private static let checkTimeout: UInt64 = 5_000_000_000
        private static let grace: UInt64 = 2_000_000_000
        /// A program that was ready for this long has not failed because of its start.
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

        /// When ``timePassed(at:)`` is due.
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

        /// A request has come.
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

        /// The group has room for the program.
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

        /// - Parameter isWanted: whether requests wait.
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

        /// The program is no longer needed: no request has been in flight for as long as configured, or another one
        /// takes its place.
        mutating func becameIdle(at now: UInt64) -> [Action] {
            guard case .ready = phase else { return [] }
            backoff.reset()
            phase = .stopping(.idle, killAt: now + StateMachine.grace)
            return [.terminate]
        }

        /// The gateway ends, or has this upstream no more.
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

        /// A program that had served is started again by itself, and one that belongs to the launch; another waits for
        /// a request, as all programs of a group do.
        private mutating func fail(_ reason: String, wasReady: Bool, at now: UInt64) -> [Action] {
            let isAutomatic = !isGrouped && (wasReady || startsAtLaunch)
            phase = .failed(reason, retryAt: now + backoff.next(), isAutomatic: isAutomatic)
            return [.refuseWaiting(reason)]
        }
    }
}
