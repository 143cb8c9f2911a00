// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Schemas {
    public struct StatusFailure: Codable, Hashable, Sendable, JSONWritable {
        public var at: String
        public var code: String
        /// What the system said about it.
        public var detail: String?

        public init(at: String, code: String, detail: String? = nil) {
            self.at = at
            self.code = code
            self.detail = detail
        }

        private enum CodingKeys: String, CodingKey {
            case at
            case code
            case detail
        }

        public func write(to json: inout JSONText) throws {
            json.beginObject()
            try json.member("at", self.at)
            try json.member("code", self.code)
            try json.member("detail", ifPresent: self.detail)
            json.endObject()
        }
    }
}
