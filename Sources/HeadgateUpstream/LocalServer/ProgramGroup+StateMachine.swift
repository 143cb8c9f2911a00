extension ProgramGroup {
    /// Decides which programs of a group run, and which waiting requests go first. Pure: instants are monotonic
    /// nanoseconds. The owner performs the actions in their order.
    struct StateMachine {
        enum Action: Equatable {
            /// Start the program.
            case start(Int)
            /// Send no more requests to the program, and stop it once those in flight have ended.
            case retire(Int)
            /// Refuse these requests of a program, which have waited too long.
            case refuse([Int], of: Int)
        }

        /// Current use of a program.
        struct Use: Equatable {
            var requestsInFlight = 0
            /// Instant at which a request last ended.
            var lastUsed: UInt64 = 0
        }

        private enum Phase {
            case out
            case starting
            case ready
            /// The program gets no more requests, and has not ended yet.
            case leaving
        }

        private struct Request {
            let number: Int
            let since: UInt64
        }

        private struct Member {
            var phase = Phase.out
            /// Waiting requests, oldest first.
            var waiting: [Request] = []
        }

        /// Nanoseconds for which running programs have priority while requests of another one wait.
        static let turn: UInt64 = 10_000_000_000

        private(set) var settings: Settings
        private var members: [Int: Member] = [:]
        private var lastNumber = 0
        /// Instant for the next call of ``advance(at:_:)``; nil if none is due.
        private(set) var deadline: UInt64?

        init(_ settings: Settings) { self.settings = settings }

        /// Number of waiting requests.
        var waiting: Int { members.values.reduce(0) { $0 + $1.waiting.count } }

        // MARK: Events. `advance(at:_:)` follows each of them.

        mutating func add(_ member: Int) { members[member] = Member() }

        mutating func remove(_ member: Int) { members[member] = nil }

        mutating func change(_ settings: Settings) { self.settings = settings }

        /// Adds a request that waits for its program.
        ///
        /// - Returns: its number; nil if too many requests are waiting already.
        mutating func join(_ member: Int, at now: UInt64) -> Int? {
            guard waiting < settings.queue else { return nil }
            lastNumber += 1
            members[member]?.waiting.append(Request(number: lastNumber, since: now))
            return lastNumber
        }

        /// Removes a request that no longer waits.
        mutating func forget(_ number: Int, of member: Int) {
            members[member]?.waiting.removeAll { $0.number == number }
        }

        /// Starts a program without a request if there is room.
        mutating func preload(_ member: Int) -> [Action] {
            guard members[member]?.phase == .out, running < settings.max else { return [] }
            members[member]?.phase = .starting
            return [.start(member)]
        }

        /// Notes that a program is ready, and that all its waiting requests have been admitted.
        mutating func ready(_ member: Int) {
            members[member]?.phase = .ready
            members[member]?.waiting = []
        }

        /// Notes that a program gets no more requests.
        mutating func leaving(_ member: Int) { members[member]?.phase = .leaving }

        /// Notes that a program has ended.
        ///
        /// - Parameter failed: whether its requests have been refused.
        mutating func gone(_ member: Int, failed: Bool) {
            members[member]?.phase = .out
            if failed { members[member]?.waiting = [] }
        }

        // MARK: Decisions

        private var running: Int { members.values.count { $0.phase != .out } }

        /// Decides which programs to start and stop, and which requests to refuse.
        ///
        /// - Parameter use: returns the current use of a running program.
        mutating func advance(at now: UInt64, _ use: (Int) -> Use) -> [Action] {
            var actions = refuseOld(at: now)
            let wanted = members.filter { $0.value.phase == .out && !$0.value.waiting.isEmpty }
                .sorted { $0.value.waiting[0].number < $1.value.waiting[0].number }
            var (room, next) = (settings.max - running, wanted[...])
            while room > 0, let first = next.popFirst() {
                members[first.key]?.phase = .starting
                actions.append(.start(first.key))
                room -= 1
            }
            // Each program that is leaving makes room for one that is wanted.
            let leaving = members.values.count { $0.phase == .leaving }
            next = next.dropFirst(leaving)
            var turnEnd: UInt64?
            var tooMany = running - leaving - settings.max
            while tooMany > 0 || !next.isEmpty {
                let end = tooMany > 0 ? 0 : next.first?.value.waiting[0].since.addingClamped(StateMachine.turn) ?? 0
                guard let victim = victim(onlyIdle: now < end, use) else {
                    if members.values.contains(where: { $0.phase == .ready }) { turnEnd = end }
                    break
                }
                members[victim]?.phase = .leaving
                actions.append(.retire(victim))
                if tooMany > 0 { tooMany -= 1 } else { next = next.dropFirst() }
            }
            deadline = [turnEnd, oldest(at: now)].compactMap(\.self).min()
            return actions
        }

        /// Returns the least recently used program that can make room; idle ones first.
        private func victim(onlyIdle: Bool, _ use: (Int) -> Use) -> Int? {
            let uses = members.filter { $0.value.phase == .ready }.keys.sorted().map { ($0, use($0)) }
            let idle = uses.filter { $0.1.requestsInFlight == 0 }
            return (idle.isEmpty && !onlyIdle ? uses : idle).min { $0.1.lastUsed < $1.1.lastUsed }?.0
        }

        /// Removes requests that have waited for their turn for the maximum time. Once a program is starting, the limit
        /// of its start applies instead.
        private mutating func refuseOld(at now: UInt64) -> [Action] {
            members.keys.sorted().compactMap { member in
                guard let phase = members[member]?.phase, phase == .out || phase == .leaving,
                    let waiting = members[member]?.waiting
                else { return nil }
                let old = waiting.prefix { $0.since.addingClamped(settings.wait) <= now }
                guard !old.isEmpty else { return nil }
                members[member]?.waiting.removeFirst(old.count)
                return .refuse(old.map(\.number), of: member)
            }
        }

        private func oldest(at now: UInt64) -> UInt64? {
            members.values.filter { $0.phase == .out || $0.phase == .leaving }
                .compactMap { $0.waiting.first?.since.addingClamped(settings.wait) }.min()
        }
    }

    /// Limits of a group.
    package struct Settings: Equatable, Sendable {
        /// Maximum number of programs that run at once.
        package var max: Int
        /// Maximum number of waiting requests.
        package var queue: Int
        /// Maximum nanoseconds for which a request waits for its turn.
        package var wait: UInt64
        /// Maximum nanoseconds for requests in flight to end before their program is stopped.
        package var drain: UInt64

        package init(max: Int, queue: Int, wait: UInt64, drain: UInt64) {
            (self.max, self.queue, self.wait, self.drain) = (max, queue, wait, drain)
        }
    }
}

extension UInt64 {
    fileprivate func addingClamped(_ other: UInt64) -> UInt64 {
        let (sum, overflows) = addingReportingOverflow(other)
        return overflows ? .max : sum
    }
}
