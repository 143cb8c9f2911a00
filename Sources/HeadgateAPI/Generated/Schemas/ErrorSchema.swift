// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Schemas {
    package struct Error: Codable, Hashable, Sendable {
        package var error: Components.Schemas.ErrorDetail

        package init(error: Components.Schemas.ErrorDetail) {
            self.error = error
        }

        private enum CodingKeys: String, CodingKey {
            case error
        }
    }
}
