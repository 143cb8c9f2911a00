// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Schemas {
    /// The server of cached responses, in verbose answers of gateways that have one.
    public struct ReadinessCache: Codable, Hashable, Sendable, JSONWritable {
        /// Whether it answers; while it does not, nothing is found there.
        public var working: Bool
        /// Entries since the start that were no responses of a gateway.
        public var damaged: Int
        /// Responses since the start that it did not take.
        public var lost: Int

        public init(working: Bool, damaged: Int, lost: Int) {
            self.working = working
            self.damaged = damaged
            self.lost = lost
        }

        private enum CodingKeys: String, CodingKey {
            case working
            case damaged
            case lost
        }

        public func write(to json: inout JSONText) throws {
            json.beginObject()
            try json.member("damaged", self.damaged)
            try json.member("lost", self.lost)
            try json.member("working", self.working)
            json.endObject()
        }
    }
}
