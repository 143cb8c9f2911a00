// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Schemas {
    public struct OllamaError: Codable, Hashable, Sendable, JSONWritable {
        /// What is wrong, and what to do.
        public var error: String

        public init(error: String) {
            self.error = error
        }

        private enum CodingKeys: String, CodingKey {
            case error
        }

        public func write(to json: inout JSONText) throws {
            json.beginObject()
            try json.member("error", self.error)
            json.endObject()
        }
    }
}
