// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Shared {
    /// Headers of several messages.
    public struct XRequestIdXHeadgateUpstreamAnd4MoreResponseHeaders: Hashable, Sendable {
        /// Names this request in the gateway's log.
        public var xRequestId: String?
        /// The name of the upstream that it comes from. This and the other fields of the gateway's own can be turned
        /// off.
        public var xHeadgateUpstream: String?
        /// How many requests were sent for it, where it took more than one.
        public var xHeadgateAttempts: Int?
        /// What it has cost in USD, a decimal number, where that is known. Only of whole answers.
        public var xHeadgateCostUsd: String?
        /// The part of a budget that was used before the request, from 0.8 on, of its key, its group or all.
        public var xHeadgateBudgetUsed: String?
        /// Why it does not come from a better place: `offline` where nothing but this machine could be reached.
        public var xHeadgateDegraded: String?

        public init(
            xRequestId: String? = nil,
            xHeadgateUpstream: String? = nil,
            xHeadgateAttempts: Int? = nil,
            xHeadgateCostUsd: String? = nil,
            xHeadgateBudgetUsed: String? = nil,
            xHeadgateDegraded: String? = nil
        ) {
            self.xRequestId = xRequestId
            self.xHeadgateUpstream = xHeadgateUpstream
            self.xHeadgateAttempts = xHeadgateAttempts
            self.xHeadgateCostUsd = xHeadgateCostUsd
            self.xHeadgateBudgetUsed = xHeadgateBudgetUsed
            self.xHeadgateDegraded = xHeadgateDegraded
        }

        func encoded(status: Int) -> OutgoingResponse {
            var response = OutgoingResponse(status: status)
            response.set(HeaderNames.xRequestId, self.xRequestId)
            response.set(HeaderNames.xHeadgateUpstream, self.xHeadgateUpstream)
            response.set(HeaderNames.xHeadgateAttempts, self.xHeadgateAttempts)
            response.set(HeaderNames.xHeadgateCostUsd, self.xHeadgateCostUsd)
            response.set(HeaderNames.xHeadgateBudgetUsed, self.xHeadgateBudgetUsed)
            response.set(HeaderNames.xHeadgateDegraded, self.xHeadgateDegraded)
            return response
        }

        init(decoding response: IncomingResponse) {
            self.init(
                xRequestId: response.header(HeaderNames.xRequestId),
                xHeadgateUpstream: response.header(HeaderNames.xHeadgateUpstream),
                xHeadgateAttempts: response.header(HeaderNames.xHeadgateAttempts),
                xHeadgateCostUsd: response.header(HeaderNames.xHeadgateCostUsd),
                xHeadgateBudgetUsed: response.header(HeaderNames.xHeadgateBudgetUsed),
                xHeadgateDegraded: response.header(HeaderNames.xHeadgateDegraded))
        }
    }
}
