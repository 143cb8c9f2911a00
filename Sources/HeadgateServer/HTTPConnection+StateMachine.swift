extension HTTPConnection {
    /// Phase of a connection, which decides the meaning of its deadline, a shutdown and received bytes. Pure: its owner
    /// reports events and performs the resulting actions.
    struct StateMachine {
        enum Phase {
            /// Between requests, or inside a head.
            case awaitingHead
            /// A request is being served.
            case serving
            /// The last response is being sent; bytes that the client still sends are discarded, up to a limit.
            case lingering
            case closed
        }

        /// Action for an expired deadline.
        enum Deadline {
            case refuseHead
            case lookAtExchange
            case close
        }

        /// Action for a shutdown.
        enum Drain {
            case close
            /// Wait a moment, because the first request can be in transit.
            case awaitFirstRequest
            /// Wait a few seconds, because the next request can be in transit.
            case awaitNextRequest
            case finishResponse
        }

        private(set) var phase = Phase.awaitingHead
        private(set) var isDraining = false
        /// Whether an idle connection can send one more request.
        private(set) var keepsIdle = false
        private var hasServed = false
        private var hasHeadBegun = false
        private var discarded = 0

        /// Maximum bytes that are discarded after the last response.
        static let lingeringOctets = 64 * 1024

        // MARK: Requests

        /// Notes that a part of a head has arrived.
        ///
        /// - Returns: whether the head's timeout begins now. For the first head it began when the connection opened.
        mutating func receivePartOfHead() -> Bool {
            guard !hasHeadBegun else { return false }
            hasHeadBegun = true
            return hasServed
        }

        mutating func beginExchange() {
            phase = .serving
            hasHeadBegun = false
            hasServed = true
        }

        /// Notes that the kernel has the whole response.
        ///
        /// - Parameter closes: whether the response was the last one.
        /// - Returns: whether the connection takes another request. Otherwise it lingers, so that the client reads the
        ///   response and not a reset.
        mutating func endExchange(closes: Bool) -> Bool {
            phase = closes || isDraining && !keepsIdle ? .lingering : .awaitingHead
            return phase == .awaitingHead
        }

        /// Counts discarded bytes.
        ///
        /// - Returns: whether there were too many.
        mutating func discard(_ count: Int) -> Bool {
            discarded += count
            return discarded > StateMachine.lingeringOctets
        }

        // MARK: Ends

        /// - Parameter isHandshaking: whether the TLS handshake is incomplete, so that no response can be sent.
        func deadlinePassed(isHandshaking: Bool) -> Deadline {
            switch phase {
            case .awaitingHead:
                let isRequestDue = hasHeadBegun || !hasServed
                return isRequestDue && !isDraining && !isHandshaking ? .refuseHead : .close
            case .serving: return .lookAtExchange
            case .lingering, .closed: return .close
            }
        }

        /// - Parameter keepingIdle: whether an idle connection can send one more request.
        mutating func drain(keepingIdle: Bool) -> Drain {
            isDraining = true
            keepsIdle = keepingIdle
            guard phase == .awaitingHead else { return .finishResponse }
            if keepingIdle { return .awaitNextRequest }
            return hasServed ? .close : .awaitFirstRequest
        }

        /// - Returns: false if the connection was closed before.
        mutating func close() -> Bool {
            guard phase != .closed else { return false }
            phase = .closed
            return true
        }
    }
}
