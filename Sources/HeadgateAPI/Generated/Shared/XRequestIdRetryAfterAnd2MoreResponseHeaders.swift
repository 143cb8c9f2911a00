// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Shared {
    /// Headers of several messages.
    public struct XRequestIdRetryAfterAnd2MoreResponseHeaders: Hashable, Sendable {
        /// Names this request in the gateway's log.
        public var xRequestId: String?
        /// Seconds, at most 120.
        public var retryAfter: Int?
        /// The same, finer, where the upstream says so.
        public var retryAfterMs: Int?
        /// Whether SDKs should try again, where the status alone would mislead them.
        public var xShouldRetry: String?

        public init(
            xRequestId: String? = nil,
            retryAfter: Int? = nil,
            retryAfterMs: Int? = nil,
            xShouldRetry: String? = nil
        ) {
            self.xRequestId = xRequestId
            self.retryAfter = retryAfter
            self.retryAfterMs = retryAfterMs
            self.xShouldRetry = xShouldRetry
        }

        func encoded(status: Int) -> OutgoingResponse {
            var response = OutgoingResponse(status: status)
            response.set(HeaderNames.xRequestId, self.xRequestId)
            response.set(HeaderNames.retryAfter, self.retryAfter)
            response.set(HeaderNames.retryAfterMs, self.retryAfterMs)
            response.set(HeaderNames.xShouldRetry, self.xShouldRetry)
            return response
        }

        init(decoding response: IncomingResponse) {
            self.init(
                xRequestId: response.header(HeaderNames.xRequestId),
                retryAfter: response.header(HeaderNames.retryAfter),
                retryAfterMs: response.header(HeaderNames.retryAfterMs),
                xShouldRetry: response.header(HeaderNames.xShouldRetry))
        }
    }
}
