extension KeyCommand {
    /// State machine of a key command; pure. Instants and durations are monotonic nanoseconds, and times of expiry
    /// seconds since 1970.
    struct StateMachine {
        enum Phase: Equatable {
            /// The program has not run yet.
            case idle
            /// The program runs; `until` is its timeout.
            case running(until: UInt64)
            /// The program was asked to end, and is killed at `until`; nil once that has happened.
            case ending(until: UInt64?)
            /// The program runs again at `until`; if nil, only after its key is refused.
            case resting(until: UInt64?)
            case closed
        }

        enum Action: Equatable {
            case spawn
            /// Asks the program to end.
            case terminate
            case kill
            /// Answers all waiting requests with ``answer(at:)``.
            case wake
            case report(KeyCommandEvent)
            case tellClosed
        }

        enum Answer: Equatable {
            case key(NumberedKey)
            case wait
            case failed(String)
        }

        /// Time after which a terminated program is killed.
        static let grace: UInt64 = 2_000_000_000
        /// Minimum time between renewals of a refused key, as long as the key stays the same.
        static let refusalPause: UInt64 = 30_000_000_000
        /// Minimum time between renewals, however soon the keys expire.
        static let shortestUse: UInt64 = 5_000_000_000
        /// Margin before the expiry of a key. The key is renewed this long and the program's timeout before it expires,
        /// or after half of its lifetime if that is later.
        static let margin: UInt64 = 60_000_000_000

        private static let expired = "printed a key that has expired"

        private let every: UInt64?
        private let timeout: UInt64
        private(set) var phase = Phase.idle
        private(set) var key: NumberedKey?
        /// Fault of the last run; nil if it printed a key.
        private(set) var fault: String?
        /// Fault that was detected before the program ended.
        private var earlyFault: String?
        private var backoff = RestartBackoff()
        private var nextRefusal: UInt64 = 0
        private var isClosing = false

        init(every: UInt64?, timeout: UInt64) {
            self.every = every
            self.timeout = timeout
        }

        /// Instant for the next call of ``timePassed(at:)``.
        var deadline: UInt64? {
            switch phase {
            case .running(let until): until
            case .ending(let until), .resting(let until): until
            case .idle, .closed: nil
            }
        }

        private var isRunning: Bool { if case .running = phase { true } else { false } }

        /// The key, unless it has expired.
        func usableKey(at time: Int64) -> NumberedKey? {
            guard let key, key.issued.expiry.map({ time < $0 }) ?? true else { return nil }
            return key
        }

        /// Answer to a request that needs a key.
        func answer(at time: Int64) -> Answer {
            if let key = usableKey(at: time) { return .key(key) }
            if isClosing || phase == .closed { return .failed("was ended with its configuration") }
            if let fault { return .failed(fault) }
            if isRunning { return .wait }
            return .failed(StateMachine.expired)
        }

        /// Starts the first run.
        mutating func launch(at now: UInt64) -> [Action] { phase == .idle ? start(at: now) : [] }

        /// Requests a key that can be used now.
        mutating func ask(at now: UInt64, _ time: Int64) -> (Answer, [Action]) {
            var actions: [Action] = []
            if usableKey(at: time) == nil, fault == nil {
                switch phase {
                case .idle, .resting: actions = start(at: now)
                case .running, .ending, .closed: break
                }
            }
            return (answer(at: time), actions)
        }

        /// Notes that the upstream refused a key, and requests another one.
        ///
        /// - Returns: `.key` with the same number if there is no other key.
        mutating func refuse(_ number: Int, at now: UInt64, _ time: Int64) -> (Answer, [Action]) {
            if let key, key.number != number { return (answer(at: time), []) }
            if isRunning { return (.wait, []) }
            guard case .resting = phase, fault == nil, now >= nextRefusal else { return (answer(at: time), []) }
            nextRefusal = now.adding(StateMachine.refusalPause)
            return (.wait, start(at: now))
        }

        /// Notes a fault of the running program that makes its key useless.
        mutating func fail(_ fault: String, at now: UInt64) -> [Action] {
            guard case .running = phase else { return [] }
            earlyFault = fault
            phase = .ending(until: now.adding(StateMachine.grace))
            // Waiting requests fail now, even if the program does not end.
            return [.terminate] + note(fault) + [.wake]
        }

        /// Notes that the program has ended, or could not be started.
        mutating func ended(_ result: Result<IssuedKey, KeyCommandFault>, at now: UInt64, _ time: Int64) -> [Action] {
            if isClosing {
                phase = .closed
                return [.wake, .tellClosed]
            }
            defer { earlyFault = nil }
            if let earlyFault {
                rest(after: earlyFault, at: now)
                return []
            }
            switch result {
            case .failure(let fault):
                rest(after: fault.text, at: now)
                return note(fault.text) + [.wake]
            case .success(let issued):
                if let expiry = issued.expiry, expiry <= time {
                    rest(after: StateMachine.expired, at: now)
                    return note(StateMachine.expired) + [.wake]
                }
                let wasFailing = fault != nil
                let isFirst = key == nil
                if issued.value != key?.issued.value { nextRefusal = 0 }
                key = NumberedKey(number: number(of: issued), issued: issued)
                fault = nil
                backoff.reset()
                phase = .resting(until: renewal(issued.expiry.map { $0 - time }, at: now))
                return (isFirst || wasFailing ? [.report(.works)] : []) + [.wake]
            }
        }

        mutating func timePassed(at now: UInt64) -> [Action] {
            guard let deadline, deadline <= now else { return [] }
            switch phase {
            case .running: return fail("did not end within \(StateMachine.seconds(timeout))", at: now)
            case .ending:
                phase = .ending(until: nil)
                return [.kill]
            case .resting: return start(at: now)
            case .idle, .closed: return []
            }
        }

        /// Ends the program permanently.
        mutating func close(at now: UInt64) -> [Action] {
            switch phase {
            case .closed: return [.tellClosed]
            case .idle, .resting:
                phase = .closed
                isClosing = true
                return [.wake, .tellClosed]
            case .running:
                isClosing = true
                phase = .ending(until: now.adding(StateMachine.grace))
                return [.terminate, .wake]
            case .ending:
                isClosing = true
                return [.wake]
            }
        }

        private mutating func start(at now: UInt64) -> [Action] {
            phase = .running(until: now.adding(timeout))
            return [.spawn]
        }

        private func number(of issued: IssuedKey) -> Int {
            guard let key else { return 1 }
            return key.issued.value == issued.value ? key.number : key.number + 1
        }

        private mutating func note(_ fault: String) -> [Action] {
            self.fault = fault
            return [.report(.failed(fault, hasKey: key != nil))]
        }

        private mutating func rest(after fault: String, at now: UInt64) {
            self.fault = fault
            phase = .resting(until: now.adding(backoff.next()))
        }

        /// Instant of the next run after a success.
        private func renewal(_ lifetime: Int64?, at now: UInt64) -> UInt64? {
            let beforeEnd = lifetime.map { seconds in
                let whole = UInt64(min(seconds, 1_000_000_000)) * 1_000_000_000
                return max(whole - min(whole / 2, StateMachine.margin.adding(timeout)), StateMachine.shortestUse)
            }
            return [every, beforeEnd].compactMap(\.self).min().map { now.adding($0) }
        }

        private static func seconds(_ nanoseconds: UInt64) -> String {
            nanoseconds.isMultiple(of: 1_000_000_000)
                ? "\(nanoseconds / 1_000_000_000) s" : "\(nanoseconds / 1_000_000) ms"
        }
    }
}

/// A key with a number that changes with its value.
package struct NumberedKey: Sendable, Equatable {
    package let number: Int
    package let issued: IssuedKey
}

/// Reason why a run printed no key. The text completes "the key command ...", and contains nothing of the output.
struct KeyCommandFault: Error, Equatable {
    let text: String
}

/// Change of a key command that is reported to people.
package enum KeyCommandEvent: Sendable, Equatable {
    /// The program printed its first key, or the first one after a failure.
    case works
    /// - Parameter hasKey: whether an earlier key stays in use.
    case failed(String, hasKey: Bool)
}

extension UInt64 {
    fileprivate func adding(_ other: UInt64) -> UInt64 {
        let (sum, overflows) = addingReportingOverflow(other)
        return overflows ? .max : sum
    }
}
