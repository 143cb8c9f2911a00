internal import HeadgateHTTP
internal import HeadgateRelay

/// Facts about one request and how it ended: names from the configuration, counts and times, but no content and no
/// secret.
public struct RequestReport: Sendable {
    /// Id in the log and in the response's `x-request-id`.
    public let requestID: String
    /// Operation of the route, such as `createChatCompletion`; `unmatched` without a route.
    public let operation: String
    /// Name of the client key; nil without one.
    public let key: String?
    /// Model as the client knows it; nil for operations without one, and for unknown models.
    public let model: String?
    /// Upstream whose response the client received.
    public let upstream: String?
    public let status: Int
    public let isStream: Bool
    /// Tokens as the upstream counted them, or estimated for upstreams that do not; nil if unknown.
    public let promptTokens: Int?
    public let completionTokens: Int?
    /// Seconds from the request's head to its last byte.
    public let duration: Double
    /// Seconds from the request's head to the first content; nil without content.
    public let timeToFirstContent: Double?
    /// End of the request, such as `finished`, `client_gone` or `upstream_failed`; the access log uses the same words.
    public let end: String
    /// Short code of the failure, such as `upstream_timeout`; nil for none.
    public let errorCode: String?

    init(_ outcome: borrowing Outcome) {
        requestID = outcome.requestID
        operation = outcome.operation
        key = outcome.keyName
        model = outcome.model
        upstream = outcome.upstream
        status = outcome.status
        isStream = outcome.isStream
        promptTokens = outcome.promptTokens
        completionTokens = outcome.completionTokens
        duration = outcome.duration
        timeToFirstContent = outcome.timeToFirstContent
        end = outcome.end.rawValue
        errorCode = outcome.errorCode
    }
}

/// Observer that the program added.
struct ReportingObserver: OutcomeObserver {
    let report: @Sendable (RequestReport) -> Void

    func observe(_ outcome: inout Outcome) { report(RequestReport(outcome)) }
}
