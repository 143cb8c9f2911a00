// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Schemas {
    public struct RevokedKey: Codable, Hashable, Sendable, JSONWritable {
        public var name: String
        public var revoked: Bool

        public init(name: String, revoked: Bool) {
            self.name = name
            self.revoked = revoked
        }

        private enum CodingKeys: String, CodingKey {
            case name
            case revoked
        }

        public func write(to json: inout JSONText) throws {
            json.beginObject()
            try json.member("name", self.name)
            try json.member("revoked", self.revoked)
            json.endObject()
        }
    }
}
