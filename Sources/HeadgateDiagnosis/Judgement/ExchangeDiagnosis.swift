/// What single requests besides the stream show.
package enum ExchangeDiagnosis {
    /// - Parameter model: which one was asked.
    package static func answer(_ answer: Result<WholeObservation, ExchangeFailure>, model: String) -> Finding {
        let advice = "The gateway's log has a line for this request, with what the upstream said."
        switch answer {
        case .failure(let failure):
            return Finding(.answer, .failed, "\(model) gave none: \(failure.detail)", advice: advice)
        case .success(let answer) where answer.isAnswer:
            return Finding(
                .answer, .ok, "\(model) answers after \(Clock.text(answer.endAt))",
                figures: [.init("answer_ms", nanoseconds: answer.endAt)])
        case .success(let answer):
            let words =
                answer.errorText.map { ": \($0)" } ?? (answer.status == 200 ? ", but not with a completion" : "")
            return Finding(.answer, .failed, "\(model) answers \(answer.status)\(words)", advice: advice)
        }
    }

    /// - Parameter answer: to a request for a model that does not exist.
    package static func errors(_ answer: Result<WholeObservation, ExchangeFailure>) -> Finding {
        guard case .success(let answer) = answer else {
            return Finding(
                .errors, .failed, "a request for an unknown model gets no answer",
                advice: "Does the proxy close connections when it sees an error?")
        }
        if answer.isAnswer { return .skipped(.errors, "every name of a model is served") }
        guard answer.errorText != nil, answer.isJSON, answer.status >= 400 else {
            return Finding(
                .errors, .failed, "an unknown model gets \(answer.status) without a JSON error",
                advice: "Let the proxy pass error answers on as they are (nginx: proxy_intercept_errors off).")
        }
        return Finding(.errors, .ok, "an unknown model gets \(answer.status) and a JSON error")
    }

    /// What became of a stream that was given up after its first event.
    package enum Cancellation: Sendable, Equatable {
        /// It was over before it could be given up.
        case tooShort
        /// The gateway's own record of it says that its client left.
        case noticed(after: UInt64)
        /// The gateway still had it in flight, or took it for finished, after that time.
        case unnoticed(after: UInt64)
        /// Its record is not ours to see; it answers.
        case survived
        case failed(ExchangeFailure)
    }

    package static func cancellation(_ cancellation: Cancellation) -> Finding {
        switch cancellation {
        case .tooShort: .skipped(.cancellation, "the answer was over before it could be cancelled")
        case .noticed(let time): Finding(.cancellation, .ok, "the gateway noticed within \(Clock.text(time))")
        case .unnoticed(let time):
            Finding(
                .cancellation, .failed, "the gateway had not noticed after \(Clock.text(time))",
                advice: "The proxy reads on for a client that has left: let it close its side too (nginx: "
                    + "proxy_ignore_client_abort off, and no buffering).")
        case .survived:
            Finding(
                .cancellation, .ok, "the gateway answers on; whether it noticed, only a key with 'admin: true' may see")
        case .failed(let failure):
            Finding(
                .cancellation, .failed, "after a cancelled stream there is no answer: \(failure.detail)",
                advice: "Look at the gateway's log, and at the proxy's limit of connections.")
        }
    }
}
