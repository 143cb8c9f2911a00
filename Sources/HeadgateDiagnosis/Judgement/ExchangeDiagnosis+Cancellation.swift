extension ExchangeDiagnosis {
    /// Result of a stream that was cancelled after its first event.
    package enum Cancellation: Sendable, Equatable {
        /// It was over before it could be given up.
        case tooShort
        /// There was no stream, but an error: its status and, behind a colon, its words.
        case refused(Int, String)
        /// It broke before it could be given up.
        case broken(String)
        /// The gateway's own record of it says that its client left.
        case noticed(after: UInt64)
        /// The gateway still had it in flight after that time, or took it for finished later than that.
        case unnoticed(after: UInt64)
        /// The gateway's record says that it ended for another reason, by this word.
        case ended(String)
        /// The gateway that was asked about it has no record of it.
        case unknown
        /// Its record is not ours to see; the gateway responds.
        case survived
        /// Its record cannot be identified; the gateway responds.
        case unnamed
        case failed(ExchangeFailure)

        /// - Returns: nil if the stream was cancelled while it arrived.
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
