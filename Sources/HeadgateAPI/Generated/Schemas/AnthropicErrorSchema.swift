// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Schemas {
    package struct AnthropicError: Codable, Hashable, Sendable {
        package enum TypePayload: String, Codable, Hashable, Sendable, CaseIterable {
            case error
        }

        package var type: TypePayload
        package var error: Components.Schemas.AnthropicErrorDetail
        /// The same as the header `request-id`.
        package var requestId: String

        package init(type: TypePayload = .error, error: Components.Schemas.AnthropicErrorDetail, requestId: String) {
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
