// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Schemas {
    public struct ModelList: Codable, Hashable, Sendable, JSONWritable {
        public enum ObjectPayload: String, Codable, Hashable, Sendable, JSONWritable, CaseIterable {
            case list
        }

        public var object: ObjectPayload
        public var data: [Components.Schemas.Model]

        public init(object: ObjectPayload = .list, data: [Components.Schemas.Model]) {
            self.object = object
            self.data = data
        }

        private enum CodingKeys: String, CodingKey {
            case object
            case data
        }

        public func write(to json: inout JSONText) throws {
            json.beginObject()
            try json.member("data", self.data)
            try json.member("object", self.object)
            json.endObject()
        }
    }
}
