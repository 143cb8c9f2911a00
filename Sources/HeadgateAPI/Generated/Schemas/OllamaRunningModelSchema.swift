// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Schemas {
    public struct OllamaRunningModel: Codable, Hashable, Sendable, JSONWritable {
        public var name: String
        /// The same.
        public var model: String
        /// Always 0.
        public var size: Int
        /// SHA-256 of the name.
        public var digest: String
        public var details: Components.Schemas.OllamaDetails
        /// Far away: the gateway unloads nothing.
        public var expiresAt: String
        /// Always 0.
        public var sizeVram: Int
        /// Tokens; where it is known.
        public var contextLength: Int?

        public init(
            name: String,
            model: String,
            size: Int,
            digest: String,
            details: Components.Schemas.OllamaDetails,
            expiresAt: String,
            sizeVram: Int,
            contextLength: Int? = nil
        ) {
            self.name = name
            self.model = model
            self.size = size
            self.digest = digest
            self.details = details
            self.expiresAt = expiresAt
            self.sizeVram = sizeVram
            self.contextLength = contextLength
        }

        private enum CodingKeys: String, CodingKey {
            case name
            case model
            case size
            case digest
            case details
            case expiresAt = "expires_at"
            case sizeVram = "size_vram"
            case contextLength = "context_length"
        }

        public func write(to json: inout JSONText) throws {
            json.beginObject()
            try json.member("context_length", ifPresent: self.contextLength)
            try json.member("details", self.details)
            try json.member("digest", self.digest)
            try json.member("expires_at", self.expiresAt)
            try json.member("model", self.model)
            try json.member("name", self.name)
            try json.member("size", self.size)
            try json.member("size_vram", self.sizeVram)
            json.endObject()
        }
    }
}
