// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Schemas {
    /// Where limits are counted for several gateways, in verbose answers of gateways that share them.
    public struct ReadinessCounters: Codable, Hashable, Sendable, JSONWritable {
        /// Whether it answers; while it does not, this gateway counts by itself.
        public var working: Bool

        public init(working: Bool) {
            self.working = working
        }

        private enum CodingKeys: String, CodingKey {
            case working
        }

        public func write(to json: inout JSONText) throws {
            json.beginObject()
            try json.member("working", self.working)
            json.endObject()
        }
    }
}
