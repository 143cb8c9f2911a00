internal import HeadgatePrimitives

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
