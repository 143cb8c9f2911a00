internal import HTTPTypes
internal import HeadgateHTTP

extension GatewayError {
    /// Nanoseconds that the upstream asks to wait; nil where it does not say.
    var retryAfter: UInt64? {
        if let milliseconds = headerFields[.retryAfterMilliseconds].flatMap(UInt64.init) {
            return milliseconds * 1_000_000
        }
        return headerFields[.retryAfter].flatMap(UInt64.init).map { $0 * 1_000_000_000 }
    }

    /// - Parameter seconds: until another target may be asked.
    mutating func shortenWait(to seconds: UInt64) {
        guard let wait = retryAfter, wait > seconds * 1_000_000_000 else { return }
        headerFields[.retryAfter] = "\(seconds)"
        headerFields[.retryAfterMilliseconds] = nil
    }

    /// The upstream's `x-should-retry`.
    var retryWish: Bool? { headerFields[.xShouldRetry].map { $0 == "true" } }

    /// What rests after it, so that another key of the same upstream may be taken; nil for what is not about the key.
    var keyRefusal: KeyRefusal? {
        switch cause {
        case .upstreamStatus(401): .ofKey
        case .upstreamStatus(403), .upstreamStatus(429), .quotaExhausted: .ofModel
        default: nil
        }
    }

    var isAboutTheKey: Bool { keyRefusal != nil }

    /// Whether a client is told this error rather than another: the shortest wait first, then the latest.
    func isTold(before other: GatewayError?) -> Bool {
        guard let other else { return true }
        // An outage elsewhere says more than that this target lacks something.
        if cause == .untranslatable { return other.cause == .untranslatable }
        // A client that knows that its prompt is too long can shorten it.
        if other.cause == .contextOverflow { return cause == .contextOverflow }
        guard other.cause == .upstreamStatus(429) else { return true }
        guard cause == .upstreamStatus(429) else { return false }
        return (retryAfter ?? .max) <= (other.retryAfter ?? .max)
    }
}
