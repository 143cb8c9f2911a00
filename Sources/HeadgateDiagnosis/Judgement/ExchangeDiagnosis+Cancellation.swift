extension ExchangeDiagnosis {
    /// The result of canceling a stream after its first event.
    package enum Cancellation: Sendable, Equatable {
        /// The stream ended before it could be canceled.
        case tooShort
        /// The response was an error instead of a stream: its status and, after a colon, its message.
        case refused(Int, String)
        /// The stream broke before it could be canceled.
        case broken(String)
        /// The gateway's record of the request says that its client left.
        case noticed(after: UInt64)
        /// The gateway still had the request in flight after that time, or recorded a later, normal end of it.
        case unnoticed(after: UInt64)
        /// The gateway's record says, with this word, that the request ended for another reason.
        case ended(String)
        /// The gateway that was asked has no record of the request.
        case unknown
        /// We may not see the record, but the gateway responds.
        case survived
        /// The record cannot be identified, but the gateway responds.
        case unnamed
        case failed(ExchangeFailure)

        /// Creates the result from the stream itself.
        ///
        /// - Returns: nil if the stream was canceled while it arrived.
        package init?(before stream: StreamObservation) {
            if stream.status != 200 {
                self = .refused(stream.status, stream.refusal)
                return
            }
            switch stream.end {
            case .complete: self = .tooShort
            case .broken(let detail): self = .broken(detail)
            case .abandoned: return nil
            }
        }
    }

    package static func cancellation(_ cancellation: Cancellation) -> Finding {
        switch cancellation {
        case .tooShort: .skipped(.cancellation, "the answer was over before it could be cancelled")
        case .refused(429, let words):
            .skipped(.cancellation, "the stream that was to be cancelled was refused with 429\(words)")
        case .refused(let status, let words):
            Finding(
                .cancellation, .failed, "the stream that was to be cancelled was refused with \(status)\(words)",
                advice: "The gateway's log has a line for this request that says who refused it.")
        case .broken(let detail):
            Finding(
                .cancellation, .failed, "the stream broke before it could be cancelled: \(detail)",
                advice: "A timeout of the proxy, or the gateway's end: its log says how the request ended for it.")
        case .noticed(let time): Finding(.cancellation, .ok, "the gateway noticed within \(Clock.text(time))")
        case .unnoticed(let time):
            Finding(
                .cancellation, .failed, "the gateway had not noticed after \(Clock.text(time))",
                advice: "The proxy reads on for a client that has left: let it close its side too (nginx: "
                    + "proxy_ignore_client_abort off, and no buffering).")
        case .ended(let outcome):
            .skipped(.cancellation, "the stream ended otherwise before it could be cancelled: \(outcome)")
        case .unknown:
            .skipped(
                .cancellation,
                "the gateway that was asked does not know the stream; of several behind one address, name one with "
                    + "--direct"
            )
        case .survived:
            Finding(
                .cancellation, .ok, "the gateway answers on; whether it noticed, only a key with 'admin: true' may see")
        case .unnamed:
            Finding(
                .cancellation, .ok,
                "the gateway answers on; whether it noticed, nobody can tell without an x-request-id")
        case .failed(let failure):
            Finding(
                .cancellation, .failed, "after a cancelled stream there is no answer: \(failure.detail)",
                advice: "Look at the gateway's log, and at the proxy's limit of connections.")
        }
    }
}
