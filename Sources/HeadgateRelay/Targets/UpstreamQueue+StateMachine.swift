extension UpstreamQueue {
    /// Who has a slot, and who waits for one. Pure.
    package struct StateMachine: Sendable {
        /// Tells a waiter, on its own loop, that it has a slot.
        package typealias Wake = @Sendable () -> Void

        enum Entry {
            /// It has a slot.
            case admitted
            case waits(FairQueue<Wake>.Ticket)
            case full
        }

        /// Waiters in all.
        static let longest = 1000

        package private(set) var inFlight = 0
        private var waiters = FairQueue<Wake>()
        /// As the latest request had it in its configuration.
        private var limit = 0

        package init() {}

        var waiting: Int { waiters.count }

        /// Takes a slot if one is free and nobody waits for it.
        ///
        /// - Parameter limit: of slots.
        mutating func enterAtOnce(limit: Int) -> Bool {
            self.limit = limit
            guard inFlight < limit, waiters.count == 0 else { return false }
            inFlight += 1
            return true
        }

        /// Takes a slot, or a place in the line of its caller.
        ///
        /// - Parameter wake: called once, by whoever makes room, unless the waiter is withdrawn before.
        mutating func enter(caller: String, limit: Int, wake: @escaping Wake) -> Entry {
            if enterAtOnce(limit: limit) { return .admitted }
            guard waiters.count < StateMachine.longest else { return .full }
            return .waits(waiters.append(wake, named: caller))
        }

        /// Gives a slot back.
        mutating func leave() { inFlight = max(0, inFlight - 1) }

        /// The next that has a slot now: to be asked for after every other change, until there is none.
        mutating func admitNext() -> Wake? {
            guard inFlight < limit, let wake = waiters.popFirst() else { return nil }
            inFlight += 1
            return wake
        }

        /// - Returns: nil for a waiter that has a slot already.
        mutating func withdraw(_ ticket: FairQueue<Wake>.Ticket) -> Wake? { waiters.remove(ticket) }
    }
}
