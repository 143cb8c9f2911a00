// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Schemas {
    /// A model, with the members of the upstream's own list entry. With several targets it has the smallest context
    /// size
    /// and the common capabilities.
    public struct Model: Codable, Hashable, Sendable, JSONWritable {
        public enum ObjectPayload: String, Codable, Hashable, Sendable, JSONWritable, CaseIterable {
            case model
        }

        /// Where the first target runs.
        public enum LocationPayload: String, Codable, Hashable, Sendable, JSONWritable, CaseIterable {
            case device
            case local
            case cloud
        }

        public var id: String
        public var object: ObjectPayload
        /// Seconds since 1970, as the upstream lists it; otherwise the start of the gateway.
        public var created: Int
        /// The owner that the upstream lists; otherwise the name of the first target's upstream.
        public var ownedBy: String
        /// The name of the first target's upstream, if its list states another owner.
        public var upstream: String?
        /// Maximum tokens of prompt and completion together. Absent if no upstream lists it.
        public var contextLength: Int?
        /// The formats of conversations that a target of it takes as they are: `chat`, `responses`, `messages`.
        /// Requests in
        /// another are translated.
        public var speaks: [String]?
        /// Where the first target runs.
        public var location: LocationPayload?
        public var pricing: Components.Schemas.ModelPricing?

        public init(
            id: String,
            object: ObjectPayload = .model,
            created: Int,
            ownedBy: String,
            upstream: String? = nil,
            contextLength: Int? = nil,
            speaks: [String]? = nil,
            location: LocationPayload? = nil,
            pricing: Components.Schemas.ModelPricing? = nil
        ) {
            self.id = id
            self.object = object
            self.created = created
            self.ownedBy = ownedBy
            self.upstream = upstream
            self.contextLength = contextLength
            self.speaks = speaks
            self.location = location
            self.pricing = pricing
        }

        private enum CodingKeys: String, CodingKey {
            case id
            case object
            case created
            case ownedBy = "owned_by"
            case upstream
            case contextLength = "context_length"
            case speaks
            case location
            case pricing
        }

        public func write(to json: inout JSONText) throws {
            json.beginObject()
            try json.member("context_length", ifPresent: self.contextLength)
            try json.member("created", self.created)
            try json.member("id", self.id)
            try json.member("location", ifPresent: self.location)
            try json.member("object", self.object)
            try json.member("owned_by", self.ownedBy)
            try json.member("pricing", ifPresent: self.pricing)
            try json.member("speaks", ifPresent: self.speaks)
            try json.member("upstream", ifPresent: self.upstream)
            json.endObject()
        }
    }
}
