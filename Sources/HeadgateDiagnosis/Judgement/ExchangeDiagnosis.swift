/// The findings of single requests other than the stream.
package enum ExchangeDiagnosis {
    /// Checks the response to a request without a stream.
    ///
    /// - Parameter model: The requested model.
    package static func answer(_ response: Result<WholeObservation, ExchangeFailure>, model: String) -> Finding {
        let advice =
            "The gateway's log has a line for this request, with the status, type and code of the upstream's error."
        switch response {
        case .failure(let failure):
            return Finding(.answer, .failed, "\(model) gave none: \(failure.detail)", advice: advice)
        case .success(let response) where response.isCompletion:
            return Finding(
                .answer, .ok, "\(model) answers after \(Clock.text(response.endAt))",
                figures: [.init("answer_ms", nanoseconds: response.endAt)])
        case .success(let response):
            let words =
                response.errorText.map { ": \($0)" } ?? (response.status == 200 ? ", but not with a completion" : "")
            return Finding(.answer, .failed, "\(model) answers \(response.status)\(words)", advice: advice)
        }
    }

    /// Checks whether errors reach the client.
    ///
    /// - Parameter response: The response to a request for a model that does not exist.
    package static func errors(_ response: Result<WholeObservation, ExchangeFailure>) -> Finding {
        guard case .success(let response) = response else {
            return Finding(
                .errors, .failed, "a request for an unknown model gets no answer",
                advice: "Does the proxy close connections when it sees an error?")
        }
        if response.isCompletion { return .skipped(.errors, "every name of a model is served") }
        guard response.errorText != nil, response.isJSON, response.status >= 400 else {
            return Finding(
                .errors, .failed, "an unknown model gets \(response.status) without a JSON error",
                advice: "Let the proxy pass error answers on as they are (nginx: proxy_intercept_errors off).")
        }
        return Finding(.errors, .ok, "an unknown model gets \(response.status) and a JSON error")
    }
}
