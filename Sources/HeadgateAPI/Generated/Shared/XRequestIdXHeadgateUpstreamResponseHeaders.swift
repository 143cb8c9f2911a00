// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Shared {
    /// Headers of several messages.
    public struct XRequestIdXHeadgateUpstreamResponseHeaders: Hashable, Sendable {
        /// Names this request in the gateway's log.
        public var xRequestId: String?
        /// The name of the upstream that it comes from. This and the other fields of the gateway's own can be turned
        /// off.
        public var xHeadgateUpstream: String?

        public init(xRequestId: String? = nil, xHeadgateUpstream: String? = nil) {
            self.xRequestId = xRequestId
            self.xHeadgateUpstream = xHeadgateUpstream
        }

        func encoded(status: Int) -> OutgoingResponse {
            var response = OutgoingResponse(status: status)
            response.set(HeaderNames.xRequestId, self.xRequestId)
            response.set(HeaderNames.xHeadgateUpstream, self.xHeadgateUpstream)
            return response
        }

        init(decoding response: IncomingResponse) {
            self.init(
                xRequestId: response.header(HeaderNames.xRequestId),
                xHeadgateUpstream: response.header(HeaderNames.xHeadgateUpstream))
        }
    }
}
