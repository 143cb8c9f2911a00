internal import HeadgatePrimitives

/// A failure of an attempt after which the request may be sent again.
package enum RetryableFault: Sendable, Hashable {
    /// No connection.
    case connect
    /// A deadline that passed before the first content.
    case timeout
    /// A stream that ended, stalled or reported an error before its first content.
    case stream
    /// A response with this status, from 400 to 599.
    case status(Int)
    /// A response with a status from 500 to 599.
    case serverErrors

    package static let standard: Set<RetryableFault> = [
        .connect, .timeout, .status(408), .status(409), .status(425), .status(429), .serverErrors, .stream,
    ]
}

extension RetryableFault {
    static let statuses = 400...599
    static let words = ["connect", "timeout", "stream", "5xx"]
    static let expected = "\(alternatives(words)), or a status from \(statuses.lowerBound) to \(statuses.upperBound)"

    /// As a configuration names it.
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
