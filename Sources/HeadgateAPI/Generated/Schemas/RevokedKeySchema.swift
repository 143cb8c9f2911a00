// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Schemas {
    public struct RevokedKey: Codable, Hashable, Sendable {
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
    }
}
