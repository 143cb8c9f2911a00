/// The result of the same request, sent directly to the gateway.
package enum StreamComparison: Sendable {
    /// There is no known proxy in front of the gateway.
    case none
    case stream(StreamObservation)
    /// There is nothing to compare with, for this reason.
    case impossible(String)

    /// Creates a comparison.
    ///
    /// - Parameter response: The response of the gateway itself.
    package init(_ response: Result<StreamObservation, ExchangeFailure>, _ dialect: StreamDialect) {
        switch response {
        case .failure(let failure): self = .impossible("no answer: \(failure.detail)")
        case .success(let stream) where stream.status != 200:
            self = .impossible("answers \(stream.status)\(stream.refusal)")
        case .success(let stream):
            let hasEvents = !StreamReading(stream, dialect).events.isEmpty
            self = hasEvents ? .stream(stream) : .impossible("no event came")
        }
    }

    package var stream: StreamObservation? {
        if case .stream(let stream) = self { stream } else { nil }
    }
}

extension StreamObservation {
    /// The message of an error response, after a colon; empty if there is none.
    var refusal: String {
        let words = WholeObservation(status: status, body: pieces.flatMap(\.bytes), endAt: 0).errorText
        return words.map { ": \($0)" } ?? ""
    }
}
