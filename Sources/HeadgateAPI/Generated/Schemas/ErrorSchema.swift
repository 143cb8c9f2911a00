// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Schemas {
    public struct Error: Codable, Hashable, Sendable {
        public var error: Components.Schemas.ErrorDetail

        public init(error: Components.Schemas.ErrorDetail) {
            self.error = error
        }

        private enum CodingKeys: String, CodingKey {
            case error
        }
    }
}
