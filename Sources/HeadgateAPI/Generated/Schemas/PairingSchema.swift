// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Schemas {
    public struct Pairing: Codable, Hashable, Sendable, JSONWritable {
        /// For `/v1/pairings/{code}`.
        public var code: String
        /// The name of the key that it makes.
        public var name: String
        /// End of the code.
        public var expires: String

        public init(code: String, name: String, expires: String) {
            self.code = code
            self.name = name
            self.expires = expires
        }

        private enum CodingKeys: String, CodingKey {
            case code
            case name
            case expires
        }

        public func write(to json: inout JSONText) throws {
            json.beginObject()
            try json.member("code", self.code)
            try json.member("expires", self.expires)
            try json.member("name", self.name)
            json.endObject()
        }
    }
}
