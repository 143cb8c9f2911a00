internal import HTTPTypes
internal import HeadgateHTTP

/// Whether a failed request is worth another try, as the server and the rules of OpenAI's SDKs say.
public struct RetryHint: Hashable, Sendable {
    /// Waits above this mean that the server wants no further try soon.
    public static let longestDelay = Duration.seconds(120)

    /// What `x-should-retry` says, else whether the status is one that passes: 408, 409, 429, 500 and above.
    public var isRetryable: Bool
    /// How long the server wants it to wait; nil where it says nothing: back off on your own then.
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

/// The form of dates in HTTP fields: `Sun, 06 Nov 1994 08:49:37 GMT`.
enum HTTPDate {
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// Seconds since 1970; nil for other forms, which RFC 9110 5.6.7 calls obsolete.
    static func seconds(_ text: String) -> Int? {
        let words = text.split(separator: " ")
        guard words.count == 6, words[5] == "GMT", let day = Int(words[1]),
            let month = months.firstIndex(of: String(words[2])),
            let year = Int(words[3]), (1970...9999).contains(year), (1...31).contains(day)
        else { return nil }
        let time = words[4].split(separator: ":").compactMap { Int($0) }
        guard time.count == 3, time.allSatisfy({ (0...60).contains($0) }) else { return nil }
        return days(year: year, month: month + 1, day: day) * 86400 + time[0] * 3600 + time[1] * 60 + time[2]
    }

    /// Days since 1970 in the Gregorian calendar, with years that begin in March.
    private static func days(year: Int, month: Int, day: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let era = year / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719468
    }
}

extension HTTPField.Name {
    fileprivate static let retryAfterMilliseconds = HTTPField.Name("retry-after-ms")!
    fileprivate static let shouldRetry = HTTPField.Name("x-should-retry")!
}
