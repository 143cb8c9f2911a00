// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Schemas {
    package struct Model: Codable, Hashable, Sendable {
        package enum ObjectPayload: String, Codable, Hashable, Sendable, CaseIterable {
            case model
        }

        package var id: String
        package var object: ObjectPayload
        /// Seconds since 1970; when the gateway started.
        package var created: Int
        /// The upstream's name.
        package var ownedBy: String

        package init(id: String, object: ObjectPayload = .model, created: Int, ownedBy: String) {
            self.id = id
            self.object = object
            self.created = created
            self.ownedBy = ownedBy
        }

        private enum CodingKeys: String, CodingKey {
            case id
            case object
            case created
            case ownedBy = "owned_by"
        }
    }
}
