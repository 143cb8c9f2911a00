// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Schemas {
    public struct StoppedStream: Codable, Hashable, Sendable {
        public enum ObjectPayload: String, Codable, Hashable, Sendable, CaseIterable {
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
    }
}
