// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Schemas {
    public struct ReadinessModel: Codable, Hashable, Sendable, JSONWritable {
        /// Or the pattern, as configured.
        public var name: String
        /// Whether one target at least has shown no reason to leave it alone.
        public var usable: Bool

        public init(name: String, usable: Bool) {
            self.name = name
            self.usable = usable
        }

        private enum CodingKeys: String, CodingKey {
            case name
            case usable
        }

        public func write(to json: inout JSONText) throws {
            json.beginObject()
            try json.member("name", self.name)
            try json.member("usable", self.usable)
            json.endObject()
        }
    }
}
