extension UpstreamTransfer {
    /// Where a transfer stands, what may still be done with its request and its connection, and which deadline runs.
    /// Pure: its owner tells what has happened and does what follows.
    struct StateMachine {
        enum Phase {
            case connecting
            case awaitingHead
            case body
            case ended
        }

        /// What the death of the connection, or of the whole transfer, means.
        enum Breakage {
            case nothing
            /// The request goes out once more, on a fresh connection.
            case sendAgain
            case failHead
            case failBody
        }

        private(set) var phase = Phase.connecting
        private var hasResponseBytes = false
        private var hasRetried = false
        private var isReusable = false
        private(set) var isPaused = false
        private(set) var isDiscarding = false

        /// Whether silence is held against the upstream: not while it is us who do not read, nor after the client's
        /// last interest.
        var watchesSilence: Bool { phase == .body && !isPaused && !isDiscarding }

        // MARK: Request and head

        mutating func connects() { phase = .connecting }

        mutating func sends() { phase = .awaitingHead }

        /// Octets have come while the head is awaited.
        ///
        /// - Returns: whether they may be the answer. What was there before the request is none, but the end of an earlier exchange.
        mutating func answers(onReused isReused: Bool, hasSentRequest: Bool) -> Bool {
            if isReused, !hasSentRequest { return false }
            hasResponseBytes = true
            return true
        }

        /// The final head is there.
        ///
        /// - Returns: whether to forget what has not been sent of the request: after a refusal nobody wants it.
        mutating func beginBody(status: Int, closes: Bool, isRequestSent: Bool) -> Bool {
            phase = .body
            // An answer that came before the whole request was sent leaves the rest of it in the way of the next one.
            isReusable = !closes && isRequestSent
            return !isRequestSent && status >= 300
        }

        // MARK: Ends

        /// The body has ended where its framing says.
        ///
        /// - Parameter leftover: octets that came after it, which are nobody's.
        /// - Returns: whether the connection may carry another exchange.
        mutating func complete(leftover: Int) -> Bool {
            phase = .ended
            return isReusable && leftover == 0
        }

        /// The connection is dead, and the body did not end with it.
        mutating func breakOff(onReused isReused: Bool) -> Breakage {
            // A connection from the pool may have been closed by its peer in the very moment we used it. Only then,
            // only when not a byte of an answer came, and only once, the request is sent again: a POST is otherwise
            // never repeated.
            if phase == .awaitingHead, isReused, !hasResponseBytes, !hasRetried {
                hasRetried = true
                phase = .connecting
                return .sendAgain
            }
            // A connection that is still being made ends by its attempt.
            return phase == .connecting ? .nothing : end()
        }

        /// The transfer is over, whatever it was doing.
        mutating func end() -> Breakage {
            defer { phase = .ended }
            return switch phase {
            case .connecting, .awaitingHead: .failHead
            case .body: .failBody
            case .ended: .nothing
            }
        }

        // MARK: What the consumer asks for

        mutating func pause() { isPaused = true }

        mutating func resume() { isPaused = false }

        /// - Returns: whether there is a rest.
        mutating func discardRest() -> Bool {
            guard phase == .body else { return false }
            isDiscarding = true
            return true
        }
    }
}
