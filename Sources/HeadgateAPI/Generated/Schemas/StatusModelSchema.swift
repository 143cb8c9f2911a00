// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Schemas {
    public struct StatusModel: Codable, Hashable, Sendable, JSONWritable {
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

        public func write(to json: inout JSONText) throws {
            json.beginObject()
            try json.member("name", self.name)
            try json.member("targets", self.targets)
            json.endObject()
        }
    }
}
