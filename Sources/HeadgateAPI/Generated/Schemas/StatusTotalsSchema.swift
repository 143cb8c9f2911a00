// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Schemas {
    /// Since the start. Requests by how they ended, and tokens as upstreams counted them.
    public struct StatusTotals: Codable, Hashable, Sendable, JSONWritable {
        public var finished: Int
        public var clientGone: Int
        public var upstreamFailed: Int
        public var timedOut: Int
        public var refused: Int
        public var drained: Int
        public var promptTokens: Int
        public var completionTokens: Int
        /// Requests that were answered from the cache.
        public var cacheHits: Int
        /// Requests whose answer the cache might have had.
        public var cacheMisses: Int

        public init(
            finished: Int,
            clientGone: Int,
            upstreamFailed: Int,
            timedOut: Int,
            refused: Int,
            drained: Int,
            promptTokens: Int,
            completionTokens: Int,
            cacheHits: Int,
            cacheMisses: Int
        ) {
            self.finished = finished
            self.clientGone = clientGone
            self.upstreamFailed = upstreamFailed
            self.timedOut = timedOut
            self.refused = refused
            self.drained = drained
            self.promptTokens = promptTokens
            self.completionTokens = completionTokens
            self.cacheHits = cacheHits
            self.cacheMisses = cacheMisses
        }

        private enum CodingKeys: String, CodingKey {
            case finished
            case clientGone = "client_gone"
            case upstreamFailed = "upstream_failed"
            case timedOut = "timed_out"
            case refused
            case drained
            case promptTokens = "prompt_tokens"
            case completionTokens = "completion_tokens"
            case cacheHits = "cache_hits"
            case cacheMisses = "cache_misses"
        }

        public func write(to json: inout JSONText) throws {
            json.beginObject()
            try json.member("cache_hits", self.cacheHits)
            try json.member("cache_misses", self.cacheMisses)
            try json.member("client_gone", self.clientGone)
            try json.member("completion_tokens", self.completionTokens)
            try json.member("drained", self.drained)
            try json.member("finished", self.finished)
            try json.member("prompt_tokens", self.promptTokens)
            try json.member("refused", self.refused)
            try json.member("timed_out", self.timedOut)
            try json.member("upstream_failed", self.upstreamFailed)
            json.endObject()
        }
    }
}
