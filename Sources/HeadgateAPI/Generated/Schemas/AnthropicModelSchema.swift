// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Schemas {
    package struct AnthropicModel: Codable, Hashable, Sendable {
        package enum TypePayload: String, Codable, Hashable, Sendable, CaseIterable {
            case model
        }

        package enum LifecyclePayload: String, Codable, Hashable, Sendable, CaseIterable {
            case active
        }

        package var type: TypePayload
        package var id: String
        /// The same as the id.
        package var displayName: String
        /// When the gateway started.
        package var createdAt: String
        package var lifecycle: LifecyclePayload

        package init(
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
    }
}
