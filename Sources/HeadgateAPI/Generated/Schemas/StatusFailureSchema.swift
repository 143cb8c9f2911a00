// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Schemas {
    package struct StatusFailure: Codable, Hashable, Sendable {
        package var at: String
        package var code: String
        /// What the system said about it.
        package var detail: String?

        package init(at: String, code: String, detail: String? = nil) {
            self.at = at
            self.code = code
            self.detail = detail
        }

        private enum CodingKeys: String, CodingKey {
            case at
            case code
            case detail
        }
    }
}
