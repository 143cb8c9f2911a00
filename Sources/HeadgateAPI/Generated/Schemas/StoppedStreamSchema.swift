// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Schemas {
    public struct StoppedStream: Codable, Hashable, Sendable, JSONWritable {
        public enum ObjectPayload: String, Codable, Hashable, Sendable, JSONWritable, CaseIterable {
            case stream
        }

        public var id: String
        public var object: ObjectPayload
        public var deleted: Bool

        public init(id: String, object: ObjectPayload = .stream, deleted: Bool) {
            self.id = id
            self.object = object
            self.deleted = deleted
        }

        private enum CodingKeys: String, CodingKey {
            case id
            case object
            case deleted
        }

        public func write(to json: inout JSONText) throws {
            json.beginObject()
            try json.member("deleted", self.deleted)
            try json.member("id", self.id)
            try json.member("object", self.object)
            json.endObject()
        }
    }
}
