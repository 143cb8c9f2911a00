internal import HeadgatePrimitives

/// A failure of an attempt after which the request can be retried.
package enum RetryableFault: Sendable, Hashable {
    /// The connection failed.
    case connect
    /// A timeout expired before the first content.
    case timeout
    /// The stream ended, stalled or reported an error before its first content.
    case stream
    /// The response has this status, from 400 to 599.
    case status(Int)
    /// The response has a status from 500 to 599.
    case serverErrors

    package static let standard: Set<RetryableFault> = [
        .connect, .timeout, .status(408), .status(409), .status(425), .status(429), .serverErrors, .stream,
    ]
}

extension RetryableFault {
    static let statuses = 400...599
    static let words = ["connect", "timeout", "stream", "5xx"]
    static let expected = "\(alternatives(words)), or a status from \(statuses.lowerBound) to \(statuses.upperBound)"

    /// The fault as a configuration names it.
    package var text: String {
        switch self {
        case .connect: "connect"
        case .timeout: "timeout"
        case .stream: "stream"
        case .serverErrors: "5xx"
        case .status(let status): "\(status)"
        }
    }

    init(parsing text: String) throws(InvalidValue) {
        switch text {
        case "connect": self = .connect
        case "timeout": self = .timeout
        case "stream": self = .stream
        case "5xx": self = .serverErrors
        default:
            if let status = try? WholeNumber.parse(text, in: Self.statuses) {
                self = .status(status)
                return
            }
            let advice = nearest(text, in: Self.words).map { "; did you mean \(quoted($0))?" } ?? ""
            throw InvalidValue("expected \(Self.expected)\(advice)")
        }
    }
}
