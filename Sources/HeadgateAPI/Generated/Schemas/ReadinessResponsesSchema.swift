// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Schemas {
    /// The store of responses, in verbose answers of gateways that have one.
    public struct ReadinessResponses: Codable, Hashable, Sendable, JSONWritable {
        /// Whether what was to be kept last has been written.
        public var working: Bool
        /// Responses and turns of conversations since the start that could not be written.
        public var lost: Int
        /// Responses and conversations since the start that made room for others before their time.
        public var removed: Int

        public init(working: Bool, lost: Int, removed: Int) {
            self.working = working
            self.lost = lost
            self.removed = removed
        }

        private enum CodingKeys: String, CodingKey {
            case working
            case lost
            case removed
        }

        public func write(to json: inout JSONText) throws {
            json.beginObject()
            try json.member("lost", self.lost)
            try json.member("removed", self.removed)
            try json.member("working", self.working)
            json.endObject()
        }
    }
}
