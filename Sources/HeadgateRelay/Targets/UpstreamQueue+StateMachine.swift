internal import HeadgateConfiguration

extension UpstreamQueue {
    /// The slots in use, and the requests that wait for one. Pure.
    package struct StateMachine: Sendable {
        /// A function that notifies a waiter, on its own event loop, that it has a slot.
        package typealias Wake = @Sendable () -> Void

        enum Entry {
            /// The request has a slot.
            case admitted
            case waits(Ticket)
            case full
            case closed
        }

        /// A reference to a waiter.
        struct Ticket {
            fileprivate let priority: RequestPriority
            fileprivate let place: FairQueue<Wake>.Ticket
        }

        /// Maximum number of waiters of each priority, so that batch requests do not keep interactive ones out.
        static let longest = 1000

        private(set) var inFlight = 0
        private(set) var isClosed = false
        private var interactive = FairQueue<Wake>()
        private var batch = FairQueue<Wake>()
        /// Limit on slots in the configuration of the latest request.
        private var limit = 0

        init() {}

        var waiting: Int { interactive.count + batch.count }

        /// Takes a slot if one is free and no request waits for it.
        ///
        /// - Parameter limit: the number of slots.
        /// - Returns: whether a slot was taken.
        mutating func enterAtOnce(limit: Int) -> Bool {
            self.limit = limit
            guard inFlight < limit, waiting == 0 else { return false }
            inFlight += 1
            return true
        }

        /// Takes a slot, or a place in the line of the caller.
        ///
        /// - Parameter wake: called once, when a slot becomes free, unless the waiter is withdrawn before.
        mutating func enter(
            caller: String, priority: RequestPriority, limit: Int, wake: @escaping Wake
        ) -> Entry {
            if enterAtOnce(limit: limit) { return .admitted }
            if isClosed { return .closed }
            switch priority {
            case .interactive:
                guard interactive.count < StateMachine.longest else { return .full }
                return .waits(Ticket(priority: priority, place: interactive.append(wake, named: caller)))
            case .batch:
                guard batch.count < StateMachine.longest else { return .full }
                return .waits(Ticket(priority: priority, place: batch.append(wake, named: caller)))
            }
        }

        /// Ends all waits, and refuses the requests that would have to wait from now on.
        ///
        /// - Returns: the wake functions of all waiters. Each waiter has a slot, which it releases.
        mutating func close() -> [Wake] {
            isClosed = true
            var wakes: [Wake] = []
            while let wake = interactive.popFirst() ?? batch.popFirst() { wakes.append(wake) }
            inFlight += wakes.count
            return wakes
        }

        /// Releases a slot.
        mutating func leave() { inFlight = max(0, inFlight - 1) }

        /// Gives a free slot to the next waiter, and returns the waiter's wake function. A batch request gets the slot
        /// only if no interactive request waits. Call this method after every other change, until it returns nil.
        mutating func admitNext() -> Wake? {
            guard inFlight < limit, let wake = interactive.popFirst() ?? batch.popFirst() else { return nil }
            inFlight += 1
            return wake
        }

        /// Removes a waiter.
        ///
        /// - Returns: the waiter's wake function; nil if the waiter already has a slot.
        mutating func withdraw(_ ticket: Ticket) -> Wake? {
            switch ticket.priority {
            case .interactive: interactive.remove(ticket.place)
            case .batch: batch.remove(ticket.place)
            }
        }
    }
}
