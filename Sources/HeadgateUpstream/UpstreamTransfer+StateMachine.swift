extension UpstreamTransfer {
    /// State machine of a transfer: its phase, the state of its request and connection, and whether the silence
    /// deadline runs. Pure: its owner reports events and performs the results.
    struct StateMachine {
        enum Phase {
            case connecting
            case awaitingHead
            case body
            case ended
        }

        /// Consequence of the connection's end for the transfer.
        enum Breakage {
            case nothing
            /// Send the request once more, on a new connection.
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

        /// Whether the silence deadline runs: not while reading is paused, nor once the rest of the body is discarded.
        var watchesSilence: Bool { phase == .body && !isPaused && !isDiscarding }

        // MARK: Request and head

        mutating func connects() { phase = .connecting }

        mutating func sends() { phase = .awaitingHead }

        /// Notes bytes that arrived before the head was complete.
        ///
        /// - Returns: whether they can belong to the response. Bytes from before the request belong to an earlier
        ///   exchange.
        mutating func answers(onReused isReused: Bool, hasSentRequest: Bool) -> Bool {
            if isReused, !hasSentRequest { return false }
            hasResponseBytes = true
            return true
        }

        /// Notes that the final head has arrived.
        ///
        /// - Returns: whether to drop the unsent rest of the request: after a status of 300 or above.
        mutating func beginBody(status: Int, closes: Bool, isRequestSent: Bool) -> Bool {
            phase = .body
            // After an early response, the unsent rest of the request makes the connection unusable.
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

        /// Notes that the connection ended, and not as the end of the body.
        mutating func fail(onReused isReused: Bool) -> Breakage {
            // The peer might have closed a pooled connection at the moment of its reuse. Only in this case, only if no
            // byte of a response arrived, and only once, the request is sent again. A POST is otherwise never repeated.
            if phase == .awaitingHead, isReused, !hasResponseBytes, !hasRetried {
                hasRetried = true
                phase = .connecting
                return .sendAgain
            }
            // A connection that is still being opened fails through its attempt.
            return phase == .connecting ? .nothing : end()
        }

        /// Ends the transfer in any phase.
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

        /// - Returns: whether any of the body is left.
        mutating func discardRest() -> Bool {
            guard phase == .body else { return false }
            isDiscarding = true
            return true
        }
    }
}
