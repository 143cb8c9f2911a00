// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Schemas {
    public struct AnthropicModel: Codable, Hashable, Sendable, JSONWritable {
        public enum TypePayload: String, Codable, Hashable, Sendable, JSONWritable, CaseIterable {
            case model
        }

        public enum LifecyclePayload: String, Codable, Hashable, Sendable, JSONWritable, CaseIterable {
            case active
        }

        public var type: TypePayload
        public var id: String
        /// The same as the id.
        public var displayName: String
        /// When the gateway started.
        public var createdAt: String
        public var lifecycle: LifecyclePayload

        public init(
            type: TypePayload = .model,
            id: String,
            displayName: String,
            createdAt: String,
            lifecycle: LifecyclePayload = .active
        ) {
            self.type = type
            self.id = id
            self.displayName = displayName
            self.createdAt = createdAt
            self.lifecycle = lifecycle
        }

        private enum CodingKeys: String, CodingKey {
            case type
            case id
            case displayName = "display_name"
            case createdAt = "created_at"
            case lifecycle
        }

        public func write(to json: inout JSONText) throws {
            json.beginObject()
            try json.member("created_at", self.createdAt)
            try json.member("display_name", self.displayName)
            try json.member("id", self.id)
            try json.member("lifecycle", self.lifecycle)
            try json.member("type", self.type)
            json.endObject()
        }
    }
}
