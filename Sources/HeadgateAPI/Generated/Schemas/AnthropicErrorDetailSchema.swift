// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Schemas {
    package struct AnthropicErrorDetail: Codable, Hashable, Sendable {
        package var type: String
        package var message: String

        package init(type: String, message: String) {
            self.type = type
            self.message = message
        }

        private enum CodingKeys: String, CodingKey {
            case type
            case message
        }
    }
}
