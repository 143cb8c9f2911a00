// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Schemas {
    /// The keys of an upstream.
    public struct StatusKeys: Codable, Hashable, Sendable, JSONWritable {
        public var count: Int
        /// Those that were refused or have used their requests up.
        public var resting: Int

        public init(count: Int, resting: Int) {
            self.count = count
            self.resting = resting
        }

        private enum CodingKeys: String, CodingKey {
            case count
            case resting
        }

        public func write(to json: inout JSONText) throws {
            json.beginObject()
            try json.member("count", self.count)
            try json.member("resting", self.resting)
            json.endObject()
        }
    }
}
