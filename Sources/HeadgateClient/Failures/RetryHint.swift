internal import HTTPTypes
internal import HeadgateHTTP
internal import HeadgatePrimitives

/// Whether a failed request is worth a retry, according to the server and the rules of OpenAI's SDKs.
public struct RetryHint: Hashable, Sendable {
    /// Longest delay that is accepted. A longer one means that the server wants no retry soon.
    public static let longestDelay = Duration.seconds(120)

    /// Whether to retry: the value of `x-should-retry`, or else whether the status is 408, 409, 429, or at least 500.
    public var isRetryable: Bool
    /// Delay that the server requests; nil if it requests none, in which case the client chooses a backoff.
    public var delay: Duration?

    /// Creates a hint, for example in tests.
    public init(isRetryable: Bool, delay: Duration?) {
        self.isRetryable = isRetryable
        self.delay = delay
    }

    static func isRetryable(status: Int) -> Bool { [408, 409, 429].contains(status) || status >= 500 }

    init(_ response: HTTPResponse) {
        let fields = response.headerFields
        delay = RetryHint.delay(fields)
        switch fields.first(.shouldRetry) {
        case "true"?: isRetryable = true
        case "false"?: isRetryable = false
        default:
            isRetryable =
                RetryHint.isRetryable(status: response.status.code) && (delay ?? .zero) <= RetryHint.longestDelay
        }
    }

    private static func delay(_ fields: HTTPFields) -> Duration? {
        if let milliseconds = fields.first(.retryAfterMilliseconds).flatMap(Double.init) {
            return duration(milliseconds / 1000)
        }
        guard let text = fields.first(.retryAfter) else { return nil }
        if let seconds = Double(text) { return duration(seconds) }
        // The server's clock is used, so that a wrong clock here has no effect.
        guard let instant = HTTPDate.seconds(text), let now = fields.first(.date).flatMap(HTTPDate.seconds) else {
            return nil
        }
        return duration(Double(instant - now))
    }

    private static func duration(_ seconds: Double) -> Duration? {
        guard seconds.isFinite, seconds <= 1e9 else { return nil }
        return .seconds(max(0, seconds))
    }
}

extension HTTPField.Name {
    fileprivate static let retryAfterMilliseconds = HTTPField.Name("retry-after-ms")!
    fileprivate static let shouldRetry = HTTPField.Name("x-should-retry")!
}
