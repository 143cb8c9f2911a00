extension UpstreamQueue {
    /// The slots in use, and the requests that wait for one. Pure.
    package struct StateMachine: Sendable {
        /// A function that notifies a waiter, on its own event loop, that it has a slot.
        package typealias Wake = @Sendable () -> Void

        enum Entry {
            /// The request has a slot.
            case admitted
            case waits(FairQueue<Wake>.Ticket)
            case full
        }

        /// Maximum number of waiters.
        static let longest = 1000

        private(set) var inFlight = 0
        private var waiters = FairQueue<Wake>()
        /// Limit on slots in the configuration of the latest request.
        private var limit = 0

        init() {}

        var waiting: Int { waiters.count }

        /// Takes a slot if one is free and no request waits for it.
        ///
        /// - Parameter limit: the number of slots.
        /// - Returns: whether a slot was taken.
        mutating func enterAtOnce(limit: Int) -> Bool {
            self.limit = limit
            guard inFlight < limit, waiters.count == 0 else { return false }
            inFlight += 1
            return true
        }

        /// Takes a slot, or a place in the line of the caller.
        ///
        /// - Parameter wake: called once, when a slot becomes free, unless the waiter is withdrawn before.
        mutating func enter(caller: String, limit: Int, wake: @escaping Wake) -> Entry {
            if enterAtOnce(limit: limit) { return .admitted }
            guard waiters.count < StateMachine.longest else { return .full }
            return .waits(waiters.append(wake, named: caller))
        }

        /// Releases a slot.
        mutating func leave() { inFlight = max(0, inFlight - 1) }

        /// Gives a free slot to the next waiter and returns the waiter's wake function. Call this after every other
        /// change, until it returns nil.
        mutating func admitNext() -> Wake? {
            guard inFlight < limit, let wake = waiters.popFirst() else { return nil }
            inFlight += 1
            return wake
        }

        /// Removes a waiter.
        ///
        /// - Returns: the waiter's wake function; nil if the waiter already has a slot.
        mutating func withdraw(_ ticket: FairQueue<Wake>.Ticket) -> Wake? { waiters.remove(ticket) }
    }
}
