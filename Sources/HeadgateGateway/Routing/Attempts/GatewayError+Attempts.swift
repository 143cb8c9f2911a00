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

    /// The upstream's `x-should-retry`.
    var retryWish: Bool? { headerFields[.xShouldRetry].map { $0 == "true" } }

    /// Whether another key of the same upstream may be taken.
    var isAboutTheKey: Bool {
        switch cause {
        case .upstreamStatus(401), .upstreamStatus(403), .upstreamStatus(429), .quotaExhausted: true
        default: false
        }
    }

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
