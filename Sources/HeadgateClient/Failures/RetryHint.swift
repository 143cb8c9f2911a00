internal import HTTPTypes
internal import HeadgateHTTP
internal import HeadgatePrimitives

/// Whether a failed request is worth another try, as the server and the rules of OpenAI's SDKs say.
public struct RetryHint: Hashable, Sendable {
    /// Waits above this mean that the server wants no further try soon.
    public static let longestDelay = Duration.seconds(120)

    /// Value of `x-should-retry`; without it, whether the status is transient: 408, 409, 429, 500 and above.
    public var isRetryable: Bool
    /// Wait that the server asks for; nil if it gives none: choose a backoff then.
    public var delay: Duration?

    /// A hint as tests write it.
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
        // The server's own clock, so that a wrong one here does no harm.
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
