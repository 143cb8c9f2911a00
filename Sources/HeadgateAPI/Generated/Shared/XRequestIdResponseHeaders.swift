// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Shared {
    /// Headers of several messages.
    public struct XRequestIdResponseHeaders: Hashable, Sendable {
        /// Names this request in the gateway's log.
        public var xRequestId: String?

        public init(xRequestId: String? = nil) {
            self.xRequestId = xRequestId
        }

        func encoded(status: Int) -> OutgoingResponse {
            var response = OutgoingResponse(status: status)
            response.set(HeaderNames.xRequestId, self.xRequestId)
            return response
        }

        init(decoding response: IncomingResponse) {
            self.init(xRequestId: response.header(HeaderNames.xRequestId))
        }
    }
}
