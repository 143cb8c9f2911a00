// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Schemas {
    /// Where it is kept what requests use, in verbose answers of gateways that do.
    public struct ReadinessLedger: Codable, Hashable, Sendable, JSONWritable {
        public var working: Bool
        /// Requests that have ended and are not written yet.
        public var pending: Int
        /// Requests since the start that there was no room for.
        public var dropped: Int

        public init(working: Bool, pending: Int, dropped: Int) {
            self.working = working
            self.pending = pending
            self.dropped = dropped
        }

        private enum CodingKeys: String, CodingKey {
            case working
            case pending
            case dropped
        }

        public func write(to json: inout JSONText) throws {
            json.beginObject()
            try json.member("dropped", self.dropped)
            try json.member("pending", self.pending)
            try json.member("working", self.working)
            json.endObject()
        }
    }
}
