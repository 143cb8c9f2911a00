// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Schemas {
    public struct OllamaModel: Codable, Hashable, Sendable, JSONWritable {
        public var name: String
        /// The same.
        public var model: String
        /// When the gateway started.
        public var modifiedAt: String
        /// Always 0.
        public var size: Int
        /// SHA-256 of the name.
        public var digest: String
        public var details: Components.Schemas.OllamaDetails
        /// Common capabilities of all targets, as far as they are known.
        public var capabilities: [String]?

        public init(
            name: String,
            model: String,
            modifiedAt: String,
            size: Int,
            digest: String,
            details: Components.Schemas.OllamaDetails,
            capabilities: [String]? = nil
        ) {
            self.name = name
            self.model = model
            self.modifiedAt = modifiedAt
            self.size = size
            self.digest = digest
            self.details = details
            self.capabilities = capabilities
        }

        private enum CodingKeys: String, CodingKey {
            case name
            case model
            case modifiedAt = "modified_at"
            case size
            case digest
            case details
            case capabilities
        }

        public func write(to json: inout JSONText) throws {
            json.beginObject()
            try json.member("capabilities", ifPresent: self.capabilities)
            try json.member("details", self.details)
            try json.member("digest", self.digest)
            try json.member("model", self.model)
            try json.member("modified_at", self.modifiedAt)
            try json.member("name", self.name)
            try json.member("size", self.size)
            json.endObject()
        }
    }
}
