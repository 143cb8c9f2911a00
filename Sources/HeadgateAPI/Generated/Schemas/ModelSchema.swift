// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Schemas {
    public struct Model: Codable, Hashable, Sendable, JSONWritable {
        public enum ObjectPayload: String, Codable, Hashable, Sendable, JSONWritable, CaseIterable {
            case model
        }

        public var id: String
        public var object: ObjectPayload
        /// Seconds since 1970; when the gateway started.
        public var created: Int
        /// The upstream's name; with several targets that of the first.
        public var ownedBy: String
        /// The formats of conversations that a target of it takes as they are: `chat`, `responses`, `messages`.
        /// Requests in
        /// another are translated.
        public var speaks: [String]?

        public init(
            id: String,
            object: ObjectPayload = .model,
            created: Int,
            ownedBy: String,
            speaks: [String]? = nil
        ) {
            self.id = id
            self.object = object
            self.created = created
            self.ownedBy = ownedBy
            self.speaks = speaks
        }

        private enum CodingKeys: String, CodingKey {
            case id
            case object
            case created
            case ownedBy = "owned_by"
            case speaks
        }

        public func write(to json: inout JSONText) throws {
            json.beginObject()
            try json.member("created", self.created)
            try json.member("id", self.id)
            try json.member("object", self.object)
            try json.member("owned_by", self.ownedBy)
            try json.member("speaks", ifPresent: self.speaks)
            json.endObject()
        }
    }
}
