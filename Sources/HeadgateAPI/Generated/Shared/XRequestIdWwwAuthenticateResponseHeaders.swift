// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Shared {
    /// Headers of several messages.
    public struct XRequestIdWwwAuthenticateResponseHeaders: Hashable, Sendable {
        /// Names this request in the gateway's log.
        public var xRequestId: String?
        /// How to present a key.
        public var wwwAuthenticate: String?

        public init(xRequestId: String? = nil, wwwAuthenticate: String? = nil) {
            self.xRequestId = xRequestId
            self.wwwAuthenticate = wwwAuthenticate
        }

        func encoded(status: Int) -> OutgoingResponse {
            var response = OutgoingResponse(status: status)
            response.set(HeaderNames.xRequestId, self.xRequestId)
            response.set(HeaderNames.wwwAuthenticate, self.wwwAuthenticate)
            return response
        }

        init(decoding response: IncomingResponse) {
            self.init(
                xRequestId: response.header(HeaderNames.xRequestId),
                wwwAuthenticate: response.header(HeaderNames.wwwAuthenticate))
        }
    }
}
