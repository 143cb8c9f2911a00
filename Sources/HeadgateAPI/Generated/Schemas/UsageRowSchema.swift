// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Schemas {
    public struct UsageRow: Codable, Hashable, Sendable, JSONWritable {
        /// The key, model or upstream, a date, or a minute; empty where there was none.
        public var name: String
        public var requests: Int
        /// As the upstream has counted them, like the others, or as estimated.
        public var promptTokens: Int
        public var completionTokens: Int
        /// Of the prompts.
        public var cachedTokens: Int
        /// Of the requests whose cost is known; null where none is.
        public var costUsd: Double?
        public var costUnknownRequests: Int
        /// Those whose tokens, and so whose cost, are estimated, as the upstream has not counted them.
        public var estimatedRequests: Int
        /// Those whose gateway was killed before their end.
        public var unfinishedRequests: Int

        public init(
            name: String,
            requests: Int,
            promptTokens: Int,
            completionTokens: Int,
            cachedTokens: Int,
            costUsd: Double? = nil,
            costUnknownRequests: Int,
            estimatedRequests: Int,
            unfinishedRequests: Int
        ) {
            self.name = name
            self.requests = requests
            self.promptTokens = promptTokens
            self.completionTokens = completionTokens
            self.cachedTokens = cachedTokens
            self.costUsd = costUsd
            self.costUnknownRequests = costUnknownRequests
            self.estimatedRequests = estimatedRequests
            self.unfinishedRequests = unfinishedRequests
        }

        private enum CodingKeys: String, CodingKey {
            case name
            case requests
            case promptTokens = "prompt_tokens"
            case completionTokens = "completion_tokens"
            case cachedTokens = "cached_tokens"
            case costUsd = "cost_usd"
            case costUnknownRequests = "cost_unknown_requests"
            case estimatedRequests = "estimated_requests"
            case unfinishedRequests = "unfinished_requests"
        }

        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(name, forKey: .name)
            try container.encode(requests, forKey: .requests)
            try container.encode(promptTokens, forKey: .promptTokens)
            try container.encode(completionTokens, forKey: .completionTokens)
            try container.encode(cachedTokens, forKey: .cachedTokens)
            try container.encode(costUsd, forKey: .costUsd)
            try container.encode(costUnknownRequests, forKey: .costUnknownRequests)
            try container.encode(estimatedRequests, forKey: .estimatedRequests)
            try container.encode(unfinishedRequests, forKey: .unfinishedRequests)
        }

        public func write(to json: inout JSONText) throws {
            json.beginObject()
            try json.member("cached_tokens", self.cachedTokens)
            try json.member("completion_tokens", self.completionTokens)
            try json.member("cost_unknown_requests", self.costUnknownRequests)
            try json.member("cost_usd", self.costUsd)
            try json.member("estimated_requests", self.estimatedRequests)
            try json.member("name", self.name)
            try json.member("prompt_tokens", self.promptTokens)
            try json.member("requests", self.requests)
            try json.member("unfinished_requests", self.unfinishedRequests)
            json.endObject()
        }
    }
}
