// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Shared {
    /// Headers of several messages.
    public struct XRequestIdRequestIdResponseHeaders: Hashable, Sendable {
        /// Names this request in the gateway's log.
        public var xRequestId: String?
        /// Names this request in the gateway's log.
        public var requestId: String?

        public init(xRequestId: String? = nil, requestId: String? = nil) {
            self.xRequestId = xRequestId
            self.requestId = requestId
        }

        func encoded(status: Int) -> OutgoingResponse {
            var response = OutgoingResponse(status: status)
            response.set(HeaderNames.xRequestId, self.xRequestId)
            response.set(HeaderNames.requestId, self.requestId)
            return response
        }

        init(decoding response: IncomingResponse) {
            self.init(
                xRequestId: response.header(HeaderNames.xRequestId),
                requestId: response.header(HeaderNames.requestId))
        }
    }
}
