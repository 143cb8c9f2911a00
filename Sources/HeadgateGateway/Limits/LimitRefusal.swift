internal import HTTPTypes
internal import HeadgateConfiguration
internal import HeadgateHTTP
internal import HeadgatePrimitives

/// Why a request is refused.
enum LimitRefusal: Sendable {
    /// - Parameter wait: nanoseconds until it would not be.
    case rate(LimitSubject, RateRule, wait: UInt64)
    /// - Parameter limit: requests.
    case inFlight(LimitSubject, _ limit: Int)

    /// - Parameters:
    ///   - wait: nanoseconds until it would not be.
    ///   - end: of the window in which it is used up, in seconds since 1970; nil where only requests in flight have
    ///     reserved what is left.
    case budget(LimitSubject, BudgetRule, wait: UInt64, end: Int64?)
    /// Nobody knows what has been used.
    case budgetUnknown(LimitSubject, BudgetRule)

    /// Nanoseconds, where nobody knows when there is room again.
    static let unknownWait: UInt64 = 1_000_000_000
    static let inFlightWord = "in_flight"
    static let budgetWord = "budget"

    var wait: UInt64 {
        switch self {
        case .rate(_, _, let wait): wait
        case .budget(_, _, let wait, _): wait
        case .inFlight: LimitRefusal.unknownWait
        // Before all others.
        case .budgetUnknown: .max
        }
    }

    /// For metrics.
    var word: String {
        switch self {
        case .rate(_, let rule, _): rule.measure.rawValue
        case .inFlight: LimitRefusal.inFlightWord
        case .budget, .budgetUnknown: LimitRefusal.budgetWord
        }
    }

    fileprivate var isOfTokens: Bool {
        if case .rate(_, let rule, _) = self { rule.measure != .requests } else { false }
    }

    fileprivate var message: String {
        switch self {
        case .rate(let subject, let rule, let wait):
            let what = rule.measure.rawValue.replacing("_", with: " ")
            return "The limit of the \(subject.text) is reached: \(rule.limit.count) \(what) per "
                + "\(rule.limit.period.word). Try again in \(LimitFields.duration(wait))."
        case .inFlight(let subject, let limit):
            let requests = limit == 1 ? "1 request" : "\(limit) requests"
            return "The limit of the \(subject.text) is reached: \(requests) in flight. Try again when one has "
                + "ended."
        case .budget(let subject, let rule, _, .some(let end)):
            return "The budget of the \(subject.text) is used up: \(rule.text). It starts anew at "
                + "\(Timestamp.dateTime(end))."
        case .budget(let subject, let rule, _, nil):
            return "What is left of the budget of the \(subject.text) is reserved for requests in flight: "
                + "\(rule.text). Try again when one has ended."
        case .budgetUnknown(let subject, let rule):
            return "What is left of the budget of the \(subject.text) is not known at the moment: \(rule.text). "
                + "Try again later."
        }
    }
}

extension LimitSubject {
    /// For people.
    var text: String { kind == .gateway ? kind.rawValue : "\(kind.rawValue) '\(ShownName.text(name))'" }
}

extension GatewayError {
    /// Who may use no more for now.
    static func limited(_ refusal: LimitRefusal) -> GatewayError {
        switch refusal {
        case .rate, .inFlight:
            GatewayError(
                429, type: refusal.isOfTokens ? "tokens" : "requests", code: "rate_limit_exceeded",
                message: refusal.message, cause: .limitReached, headerFields: retryFields(after: refusal.wait))
        case .budget:
            GatewayError(
                429, type: "insufficient_quota", code: "budget_exceeded", message: refusal.message,
                cause: .limitReached, headerFields: retryFields(after: refusal.wait))
        case .budgetUnknown:
            GatewayError(
                503, type: "server_error", code: "budget_unavailable", message: refusal.message, cause: .storeFailed,
                headerFields: [.retryAfter: "5"])
        }
    }

    /// When to try again, and where that is far away, that waiting for it makes no sense: the longest that OpenAI's
    /// SDKs wait by themselves is a minute.
    ///
    /// - Parameter wait: nanoseconds.
    private static func retryFields(after wait: UInt64) -> HTTPFields {
        let seconds = max(1, wait / 1_000_000_000 + (wait % 1_000_000_000 == 0 ? 0 : 1))
        var fields: HTTPFields = [.retryAfter: "\(seconds)"]
        if seconds <= 120 {
            fields[.retryAfterMilliseconds] = "\(max(1, (wait + 999_999) / 1_000_000))"
        } else {
            fields[.xShouldRetry] = "false"
        }
        return fields
    }
}

extension RequestRecord {
    /// The error of a request that is not admitted.
    ///
    /// - Parameter fields: what is said of its limits.
    func refused(_ refusal: LimitRefusal, _ fields: HTTPFields) -> GatewayError {
        facts.notes[.limit] = refusal.word
        var error = GatewayError.limited(refusal)
        error.headerFields += fields
        return error
    }
}
