// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Schemas {
    public struct OllamaVersion: Codable, Hashable, Sendable, JSONWritable {
        public var version: String
        /// The gateway's own version.
        public var headgate: String

        public init(version: String, headgate: String) {
            self.version = version
            self.headgate = headgate
        }

        private enum CodingKeys: String, CodingKey {
            case version
            case headgate
        }

        public func write(to json: inout JSONText) throws {
            json.beginObject()
            try json.member("headgate", self.headgate)
            try json.member("version", self.version)
            json.endObject()
        }
    }
}
