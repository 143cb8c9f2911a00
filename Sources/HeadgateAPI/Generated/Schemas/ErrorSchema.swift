// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Schemas {
    public struct Error: Codable, Hashable, Sendable, JSONWritable {
        public var error: Components.Schemas.ErrorDetail

        public init(error: Components.Schemas.ErrorDetail) {
            self.error = error
        }

        private enum CodingKeys: String, CodingKey {
            case error
        }

        public func write(to json: inout JSONText) throws {
            json.beginObject()
            try json.member("error", self.error)
            json.endObject()
        }
    }
}
