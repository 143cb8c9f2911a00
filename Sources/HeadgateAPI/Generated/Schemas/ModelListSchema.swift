// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Schemas {
    package struct ModelList: Codable, Hashable, Sendable {
        package enum ObjectPayload: String, Codable, Hashable, Sendable, CaseIterable {
            case list
        }

        package var object: ObjectPayload
        package var data: [Components.Schemas.Model]

        package init(object: ObjectPayload = .list, data: [Components.Schemas.Model]) {
            self.object = object
            self.data = data
        }

        private enum CodingKeys: String, CodingKey {
            case object
            case data
        }
    }
}
