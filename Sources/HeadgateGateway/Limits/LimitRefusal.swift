internal import HTTPTypes
internal import HeadgateConfiguration
internal import HeadgateHTTP
internal import HeadgatePrimitives
internal import HeadgateRelay

/// Reason for which a limit refuses a request.
enum LimitRefusal: Sendable {
    /// A rate is used up.
    ///
    /// - Parameter wait: nanoseconds until the rate would admit the request.
    case rate(LimitSubject, RateRule, wait: UInt64)
    /// The maximum number of requests is in flight.
    ///
    /// - Parameter limit: maximum number of requests.
    case inFlight(LimitSubject, _ limit: Int)

    /// A budget is used up, or requests in flight have reserved the rest of it.
    ///
    /// - Parameters:
    ///   - wait: nanoseconds until the budget might admit the request.
    ///   - end: end of the window in which the budget is used up, in seconds since 1970; nil if requests in flight have
    ///     reserved the rest of it.
    case budget(LimitSubject, BudgetRule, wait: UInt64, end: Int64?)
    /// The use of a strict budget is unknown, or could not be stored.
    case budgetUnknown(LimitSubject, BudgetRule)

    /// Nanoseconds to wait if the time of the next free slot is unknown.
    static let unknownWait: UInt64 = 1_000_000_000
    static let inFlightWord = "in_flight"
    static let budgetWord = "budget"

    var wait: UInt64 {
        switch self {
        case .rate(_, _, let wait): wait
        case .budget(_, _, let wait, _): wait
        case .inFlight: LimitRefusal.unknownWait
        // Takes precedence over all others.
        case .budgetUnknown: .max
        }
    }

    /// Name of the limit in metrics.
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
            return "The budget of the \(subject.text) is used up: \(rule.text). It resets at "
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
    /// Name of the subject in error messages.
    var text: String { kind == .gateway ? kind.rawValue : "\(kind.rawValue) '\(ShownName.text(name))'" }
}

extension GatewayError {
    /// Returns the error of a request that a limit refuses.
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

    /// Returns the headers for a retry. If the wait exceeds two minutes, they advise against one: OpenAI's SDKs wait at
    /// most a minute before they retry automatically.
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
    /// Notes the limit that refuses the request, and returns the error.
    ///
    /// - Parameter fields: rate limit headers.
    func refused(_ refusal: LimitRefusal, _ fields: HTTPFields) -> GatewayError {
        facts.notes[.limit] = refusal.word
        var error = GatewayError.limited(refusal)
        error.headerFields += fields
        return error
    }
}
