// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Schemas {
    public struct StatusModel: Codable, Hashable, Sendable {
        /// Or the pattern, as configured.
        public var name: String
        /// In the order of the configuration.
        public var targets: [Components.Schemas.StatusTarget]

        public init(name: String, targets: [Components.Schemas.StatusTarget]) {
            self.name = name
            self.targets = targets
        }

        private enum CodingKeys: String, CodingKey {
            case name
            case targets
        }
    }
}
