// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Schemas {
    public struct AnthropicErrorDetail: Codable, Hashable, Sendable, JSONWritable {
        public var type: String
        public var message: String

        public init(type: String, message: String) {
            self.type = type
            self.message = message
        }

        private enum CodingKeys: String, CodingKey {
            case type
            case message
        }

        public func write(to json: inout JSONText) throws {
            json.beginObject()
            try json.member("message", self.message)
            try json.member("type", self.type)
            json.endObject()
        }
    }
}
