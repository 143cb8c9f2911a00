// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Schemas {
    /// A model, with the members of the upstream's own list entry.
    public struct AnthropicModel: Codable, Hashable, Sendable, JSONWritable {
        public enum TypePayload: String, Codable, Hashable, Sendable, JSONWritable, CaseIterable {
            case model
        }

        public var type: TypePayload
        public var id: String
        /// The name that the upstream lists; otherwise the id.
        public var displayName: String
        /// The time that the upstream lists; otherwise the start of the gateway.
        public var createdAt: String
        /// `active` unless the upstream lists another stage.
        public var lifecycle: String
        /// Maximum tokens of a prompt. Absent if no upstream lists a context size.
        public var maxInputTokens: Int?

        public init(
            type: TypePayload = .model,
            id: String,
            displayName: String,
            createdAt: String,
            lifecycle: String,
            maxInputTokens: Int? = nil
        ) {
            self.type = type
            self.id = id
            self.displayName = displayName
            self.createdAt = createdAt
            self.lifecycle = lifecycle
            self.maxInputTokens = maxInputTokens
        }

        private enum CodingKeys: String, CodingKey {
            case type
            case id
            case displayName = "display_name"
            case createdAt = "created_at"
            case lifecycle
            case maxInputTokens = "max_input_tokens"
        }

        public func write(to json: inout JSONText) throws {
            json.beginObject()
            try json.member("created_at", self.createdAt)
            try json.member("display_name", self.displayName)
            try json.member("id", self.id)
            try json.member("lifecycle", self.lifecycle)
            try json.member("max_input_tokens", ifPresent: self.maxInputTokens)
            try json.member("type", self.type)
            json.endObject()
        }
    }
}
