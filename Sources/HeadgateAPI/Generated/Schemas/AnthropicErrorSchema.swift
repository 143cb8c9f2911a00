// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Schemas {
    public struct AnthropicError: Codable, Hashable, Sendable, JSONWritable {
        public enum TypePayload: String, Codable, Hashable, Sendable, JSONWritable, CaseIterable {
            case error
        }

        public var type: TypePayload
        public var error: Components.Schemas.AnthropicErrorDetail
        /// The same as the header `request-id`.
        public var requestId: String

        public init(type: TypePayload = .error, error: Components.Schemas.AnthropicErrorDetail, requestId: String) {
            self.type = type
            self.error = error
            self.requestId = requestId
        }

        private enum CodingKeys: String, CodingKey {
            case type
            case error
            case requestId = "request_id"
        }

        public func write(to json: inout JSONText) throws {
            json.beginObject()
            try json.member("error", self.error)
            try json.member("request_id", self.requestId)
            try json.member("type", self.type)
            json.endObject()
        }
    }
}
