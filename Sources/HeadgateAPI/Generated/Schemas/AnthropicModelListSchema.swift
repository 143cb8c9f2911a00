// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Schemas {
    public struct AnthropicModelList: Codable, Hashable, Sendable, JSONWritable {
        public var data: [Components.Schemas.AnthropicModel]
        public var hasMore: Bool
        public var firstId: String?
        public var lastId: String?

        public init(
            data: [Components.Schemas.AnthropicModel],
            hasMore: Bool,
            firstId: String? = nil,
            lastId: String? = nil
        ) {
            self.data = data
            self.hasMore = hasMore
            self.firstId = firstId
            self.lastId = lastId
        }

        private enum CodingKeys: String, CodingKey {
            case data
            case hasMore = "has_more"
            case firstId = "first_id"
            case lastId = "last_id"
        }

        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(data, forKey: .data)
            try container.encode(hasMore, forKey: .hasMore)
            try container.encode(firstId, forKey: .firstId)
            try container.encode(lastId, forKey: .lastId)
        }

        public func write(to json: inout JSONText) throws {
            json.beginObject()
            try json.member("data", self.data)
            try json.member("first_id", self.firstId)
            try json.member("has_more", self.hasMore)
            try json.member("last_id", self.lastId)
            json.endObject()
        }
    }
}
