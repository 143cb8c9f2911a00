extension RedisConnection {
    /// Decides when to connect, matches replies with calls, and handles failures. Instants are monotonic nanoseconds.
    ///
    /// A connection without a timely reply is closed, and all its calls fail, so that no caller waits twice. The pause
    /// before the next connection grows.
    struct StateMachine<Call> {
        enum Report: Equatable {
            case up([RedisReply])
            case down(String)
        }

        /// Actions to perform now, in this order.
        struct Step {
            var closes = false
            /// Calls that get no reply.
            var failed: [Call] = []
            var answered: (call: Call, reply: RedisReply)?
            var report: Report?
            var connects = false
            var sends: [RedisCommand] = []
            var wakeUp: UInt64?
        }

        private struct Pending {
            let call: Call
            let deadline: UInt64
        }

        private enum Phase {
            case idle
            case pausing(until: UInt64)
            case connecting
            /// - Parameter replies: the replies so far.
            case greeting([RedisCommand], replies: [RedisReply], deadline: UInt64)
            case up(since: UInt64)
            case stopped
        }

        private let patience: RedisPatience
        private var phase = Phase.idle
        /// Calls in the order of their commands.
        private var pending: [Pending] = []
        /// Number of leading elements of ``pending`` that have a reply.
        private var answered = 0
        private var tries = 0

        static var mostPending: Int { 16_384 }

        init(patience: RedisPatience = RedisPatience()) { self.patience = patience }

        var isUp: Bool { if case .up = phase { pending.count - answered < Self.mostPending } else { false } }

        mutating func start() -> Step {
            guard case .idle = phase else { return Step() }
            phase = .connecting
            return Step(connects: true)
        }

        /// - Parameter greeting: the first commands; not empty.
        mutating func connected(at now: UInt64, greeting: [RedisCommand]) -> Step {
            guard case .connecting = phase else { return Step() }
            let deadline = now + patience.greeting
            phase = .greeting(greeting, replies: [], deadline: deadline)
            return Step(sends: greeting, wakeUp: deadline)
        }

        /// Adds a call. Must only be called while ``isUp``.
        mutating func add(_ call: Call, at now: UInt64) -> Step {
            let isFirst = answered == pending.count
            let deadline = now + patience.reply
            pending.append(Pending(call: call, deadline: deadline))
            return Step(wakeUp: isFirst ? deadline : nil)
        }

        /// - Parameter random: a number from 0 to 1, so that many gateways do not reconnect at once.
        mutating func receive(_ reply: RedisReply, at now: UInt64, random: Double = 0) -> Step {
            switch phase {
            case .greeting(let commands, var replies, let deadline):
                if case .error = reply {
                    return fail(Self.refusal(of: commands[replies.count], reply), at: now, random: random)
                }
                replies.append(reply)
                guard replies.count == commands.count else {
                    phase = .greeting(commands, replies: replies, deadline: deadline)
                    return Step()
                }
                phase = .up(since: now)
                return Step(report: .up(replies))
            case .up:
                guard answered < pending.count else {
                    return fail("it sent a reply to no request", at: now, random: random)
                }
                let call = pending[answered].call
                answered += 1
                if answered == pending.count {
                    pending.removeAll(keepingCapacity: pending.count <= 1024)
                    answered = 0
                } else if answered > 1024, answered > pending.count / 2 {
                    pending.removeFirst(answered)
                    answered = 0
                }
                var step = Step()
                step.answered = (call, reply)
                return step
            case .idle, .pausing, .connecting, .stopped: return Step()
            }
        }

        /// Handles the failure of the connection, or of an attempt to connect.
        mutating func fail(_ reason: String, at now: UInt64, random: Double = 0) -> Step {
            switch phase {
            case .idle, .pausing, .stopped: return Step()
            // The pause is reset only after a connection has lasted for a while.
            case .up(let since): if now >= since + patience.longest { tries = 0 }
            case .connecting, .greeting: break
            }
            var pause = patience.shortest
            for _ in 0..<min(tries, 16) { pause = min(pause * 2, patience.longest) }
            tries += 1
            let until = now + UInt64(Double(pause) * (0.5 + random / 2))
            phase = .pausing(until: until)
            return Step(closes: true, failed: takeAll(), report: .down(reason), wakeUp: until)
        }

        mutating func wake(at now: UInt64, random: Double = 0) -> Step {
            switch phase {
            case .pausing(let until):
                guard now >= until else { return Step(wakeUp: until) }
                phase = .connecting
                return Step(connects: true)
            case .greeting(_, _, let deadline):
                guard now >= deadline else { return Step(wakeUp: deadline) }
                return fail("no answer to the greeting", at: now, random: random)
            case .up:
                guard answered < pending.count else { return Step() }
                let deadline = pending[answered].deadline
                guard now >= deadline else { return Step(wakeUp: deadline) }
                return fail("no answer within \(patience.reply / 1_000_000) ms", at: now, random: random)
            case .idle, .connecting, .stopped: return Step()
            }
        }

        mutating func stop() -> Step {
            phase = .stopped
            return Step(closes: true, failed: takeAll())
        }

        private mutating func takeAll() -> [Call] {
            defer { (pending, answered) = ([], 0) }
            return pending[answered...].map(\.call)
        }

        /// Describes a refused command. The error can repeat the command's arguments, so the error of `AUTH` is not
        /// shown.
        private static func refusal(of command: RedisCommand, _ reply: RedisReply) -> String {
            let name = command.name
            guard name != "AUTH", case .error(let text) = reply else {
                return "it refuses the user or the password (\(reply.errorCode ?? ""))"
            }
            switch reply.errorCode {
            case "NOAUTH": return "it asks for a password"
            default: return "it refuses \(name): \(text)"
            }
        }
    }
}

extension RedisCommand {
    fileprivate var name: String { String(decoding: arguments.first ?? [], as: UTF8.self) }
}
