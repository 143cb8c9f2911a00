internal import HTTPTypes
internal import HeadgateHTTP

extension GatewayError {
    /// Wait that the upstream requests, in nanoseconds; nil if it states none.
    var retryAfter: UInt64? {
        if let milliseconds = headerFields[.retryAfterMilliseconds].flatMap(UInt64.init) {
            return milliseconds * 1_000_000
        }
        return headerFields[.retryAfter].flatMap(UInt64.init).map { $0 * 1_000_000_000 }
    }

    /// Shortens the wait that the response requests from the client, if it is longer.
    ///
    /// - Parameter seconds: the time until another target can be tried.
    mutating func shortenWait(to seconds: UInt64) {
        guard let wait = retryAfter, wait > seconds * 1_000_000_000 else { return }
        headerFields[.retryAfter] = "\(seconds)"
        headerFields[.retryAfterMilliseconds] = nil
    }

    /// Value of the upstream's `x-should-retry`; nil if it sent none.
    var retryWish: Bool? { headerFields[.xShouldRetry].map { $0 == "true" } }

    /// Scope in which the key rests after this error, while other keys of the same upstream can be used; nil if the
    /// error is not about the key.
    var keyRefusal: KeyRefusal? {
        switch cause {
        case .upstreamStatus(401): .ofKey
        case .upstreamStatus(403), .upstreamStatus(429), .quotaExhausted: .ofModel
        default: nil
        }
    }

    var isAboutTheKey: Bool { keyRefusal != nil }

    /// Returns whether the client gets this error instead of an earlier one. Of two rate limits, the shorter wait takes
    /// precedence; otherwise the later error usually does.
    func isTold(before other: GatewayError?) -> Bool {
        guard let other else { return true }
        // An outage of another target is more useful to know than a feature that this target lacks.
        if cause == .untranslatable { return other.cause == .untranslatable }
        // A client that learns that its prompt is too long can shorten it.
        if other.cause == .contextOverflow { return cause == .contextOverflow }
        guard other.cause == .upstreamStatus(429) else { return true }
        guard cause == .upstreamStatus(429) else { return false }
        return (retryAfter ?? .max) <= (other.retryAfter ?? .max)
    }
}
