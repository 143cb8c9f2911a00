internal import HeadgateRelay

extension ReplicatedStreamWriter {
    /// Progress of a stream in a store, which decides the next step after each answer of the store; pure.
    ///
    /// At most one share is in flight, so events that arrive meanwhile are sent together. The end, which can be that of
    /// the process, does not wait: a second share carries it. A share without an answer is sent again, because the
    /// store identifies events by number.
    struct StateMachine {
        enum Next: Equatable {
            case share
            /// The next share is sent with new events, or with the next sign of life.
            case wait
            /// The store has the whole stream, or will never have it.
            case over
        }

        /// Last event that the store has.
        private var position = 0
        /// Last event that is in flight or in the store.
        private(set) var sent = 0
        private var underWay = 0
        /// Whether the store knows of the stream.
        private(set) var isOpen = false
        private var isOver = false

        /// - Returns: the event after which a share begins; nil if none is to be sent now.
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
        ///   - isLast: whether the share included the stream's end.
        ///   - hasMore: whether there are events that were not sent yet.
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
                // Send all retained events again.
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
