extension UpstreamTransfer {
    /// The state machine of a transfer: its phase, what may still be done with its request and connection, and which
    /// deadline runs. Pure: its owner reports events and performs the results.
    struct StateMachine {
        enum Phase {
            case connecting
            case awaitingHead
            case body
            case ended
        }

        /// Meaning of the connection's end for the transfer.
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

        /// Whether the silence deadline runs: not while we do not read, nor once the rest of the body is discarded.
        var watchesSilence: Bool { phase == .body && !isPaused && !isDiscarding }

        // MARK: Request and head

        mutating func connects() { phase = .connecting }

        mutating func sends() { phase = .awaitingHead }

        /// Bytes have come before the head is complete.
        ///
        /// - Returns: whether they may be the response. Bytes from before the request belong to an earlier exchange.
        mutating func answers(onReused isReused: Bool, hasSentRequest: Bool) -> Bool {
            if isReused, !hasSentRequest { return false }
            hasResponseBytes = true
            return true
        }

        /// The final head is there.
        ///
        /// - Returns: whether to drop the unsent rest of the request: after a status of 300 or above.
        mutating func beginBody(status: Int, closes: Bool, isRequestSent: Bool) -> Bool {
            phase = .body
            // A response before the end of the request: the unsent rest makes the connection unusable.
            isReusable = !closes && isRequestSent
            return !isRequestSent && status >= 300
        }

        // MARK: Ends

        /// Completes the body as its framing says.
        ///
        /// - Parameter leftover: bytes after the body, which belong to no response.
        /// - Returns: whether the connection can be reused.
        mutating func complete(leftover: Int) -> Bool {
            phase = .ended
            return isReusable && leftover == 0
        }

        /// The connection has ended, and not as the end of the body.
        mutating func fail(onReused isReused: Bool) -> Breakage {
            // A connection from the pool may have been closed by its peer in the very moment we used it. Only then,
            // only when not a byte of a response came, and only once, the request is sent again: a POST is otherwise
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

        // MARK: Requests of the consumer

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
