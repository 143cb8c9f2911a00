extension ReplicatedStreamWriter {
    /// What a store has of a stream, and what follows from its answers; pure.
    ///
    /// One share is under way at a time, so that what comes meanwhile goes together, and one more at the end, which may
    /// be that of the process. What was not answered is sent again: the store knows by the numbers what it has.
    struct StateMachine {
        enum Next: Equatable {
            case share
            /// The next share comes with new events, or with the next sign of life.
            case wait
            /// The store has all of it, or will not have it.
            case over
        }

        /// The last event that the store has.
        private var position = 0
        /// The last that is under way, or there.
        private(set) var sent = 0
        private var underWay = 0
        /// Whether the store knows of the stream.
        private(set) var isOpen = false
        private var isOver = false

        /// - Returns: after which event a share begins; nil where none is to be sent now.
        func next(hasEnded: Bool) -> Int? {
            if isOver { return nil }
            if underWay == 0 { return position }
            return hasEnded && underWay == 1 ? sent : nil
        }

        /// - Parameter end: the number of the last event.
        mutating func send(to end: Int) {
            underWay += 1
            sent = end
        }

        /// - Parameters:
        ///   - end: the number of the last event that was sent.
        ///   - isLast: whether it was said that the stream is over.
        ///   - hasMore: whether there is something by now that was not sent.
        mutating func answered(_ result: StreamShare.Result?, to end: Int, isLast: Bool, hasMore: Bool) -> Next {
            underWay -= 1
            if isOver { return .over }
            switch result {
            case .written?:
                isOpen = true
                position = max(position, end)
                isOver = isLast
                if isLast { return .over }
                return hasMore && underWay == 0 ? .share : .wait
            case .unknown?:
                let wasOpen = isOpen
                // All that is kept, from the beginning.
                (isOpen, position, sent) = (false, 0, 0)
                return wasOpen ? .share : .wait
            case .taken?:
                isOver = true
                return .over
            case nil: return .wait
            }
        }
    }
}
