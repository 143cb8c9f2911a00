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
}
