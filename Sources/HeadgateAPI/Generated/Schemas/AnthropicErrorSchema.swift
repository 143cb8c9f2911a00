// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Schemas {
    public struct AnthropicError: Codable, Hashable, Sendable {
        public enum TypePayload: String, Codable, Hashable, Sendable, CaseIterable {
            case error
        }

        public var type: TypePayload
        public var error: Components.Schemas.AnthropicErrorDetail
        /// The same as the header `request-id`.
        public var requestId: String

        public init(type: TypePayload = .error, error: Components.Schemas.AnthropicErrorDetail, requestId: String) {
            self.type = type
            self.error = error
            self.requestId = requestId
        }

        private enum CodingKeys: String, CodingKey {
            case type
            case error
            case requestId = "request_id"
        }
    }
}
