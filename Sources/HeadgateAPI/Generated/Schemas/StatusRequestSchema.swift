// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Schemas {
    public struct StatusRequest: Codable, Hashable, Sendable, JSONWritable {
        public enum OutcomePayload: String, Codable, Hashable, Sendable, JSONWritable, CaseIterable {
            case finished
            case clientGone = "client_gone"
            case upstreamFailed = "upstream_failed"
            case timedOut = "timed_out"
            case refused
            case drained
        }

        /// Where the tokens are from, unless the upstream has counted them.
        public enum TokenSourcePayload: String, Codable, Hashable, Sendable, JSONWritable, CaseIterable {
            case estimated
        }

        /// What the cache did for it, where its model has one.
        public enum CachePayload: String, Codable, Hashable, Sendable, JSONWritable, CaseIterable {
            case hit
            case miss
            case bypass
        }

        /// What became of a second attempt that began beside the first: it had content first, the other one had, or
        /// neither had.
        public enum HedgePayload: String, Codable, Hashable, Sendable, JSONWritable, CaseIterable {
            case won
            case lost
            case failed
        }

        /// The `x-request-id` of its response.
        public var id: String
        public var endedAt: String
        public var operation: String
        /// The name of the key.
        public var key: String?
        /// As configured, or as the client asked in vain: then harmless, and cut after 64 characters.
        public var model: String?
        public var upstream: String?
        /// In their order; absent where a single one could be made.
        public var attempts: [Components.Schemas.StatusAttempt]?
        public var status: Int
        public var upstreamStatus: Int?
        public var outcome: OutcomePayload
        /// A word for what went wrong.
        public var error: String?
        /// What the system said about it.
        public var detail: String?
        /// Number of its content at /v1/admin/requests/{number}, if the gateway stores it.
        public var inspection: Int?
        /// Why the model ended, in the upstream's word.
        public var finishReason: String?
        public var stream: Bool
        /// Until the first content.
        public var ttftMs: Double?
        public var durationMs: Double
        public var promptTokens: Int?
        public var completionTokens: Int?
        /// Where the tokens are from, unless the upstream has counted them.
        public var tokenSource: TokenSourcePayload?
        /// Of the prompt, those that the upstream had in its cache.
        public var cachedTokens: Int?
        /// Of the prompt, those that it has written to it.
        public var cacheWriteTokens: Int?
        /// Null where it is not known; absent where nothing was used, or has a price.
        public var costUsd: Double?
        /// A fault that the gateway was asked to make.
        public var fault: String?
        /// What the cache did for it, where its model has one.
        public var cache: CachePayload?
        /// What became of the answer after its client had left.
        public var afterLeaving: String?
        /// What became of a second attempt that began beside the first: it had content first, the other one had, or
        /// neither had.
        public var hedge: HedgePayload?
        /// Of its trace, where requests are traced.
        public var traceId: String?

        public init(
            id: String,
            endedAt: String,
            operation: String,
            key: String? = nil,
            model: String? = nil,
            upstream: String? = nil,
            attempts: [Components.Schemas.StatusAttempt]? = nil,
            status: Int,
            upstreamStatus: Int? = nil,
            outcome: OutcomePayload,
            error: String? = nil,
            detail: String? = nil,
            inspection: Int? = nil,
            finishReason: String? = nil,
            stream: Bool,
            ttftMs: Double? = nil,
            durationMs: Double,
            promptTokens: Int? = nil,
            completionTokens: Int? = nil,
            tokenSource: TokenSourcePayload? = nil,
            cachedTokens: Int? = nil,
            cacheWriteTokens: Int? = nil,
            costUsd: Double? = nil,
            fault: String? = nil,
            cache: CachePayload? = nil,
            afterLeaving: String? = nil,
            hedge: HedgePayload? = nil,
            traceId: String? = nil
        ) {
            self.id = id
            self.endedAt = endedAt
            self.operation = operation
            self.key = key
            self.model = model
            self.upstream = upstream
            self.attempts = attempts
            self.status = status
            self.upstreamStatus = upstreamStatus
            self.outcome = outcome
            self.error = error
            self.detail = detail
            self.inspection = inspection
            self.finishReason = finishReason
            self.stream = stream
            self.ttftMs = ttftMs
            self.durationMs = durationMs
            self.promptTokens = promptTokens
            self.completionTokens = completionTokens
            self.tokenSource = tokenSource
            self.cachedTokens = cachedTokens
            self.cacheWriteTokens = cacheWriteTokens
            self.costUsd = costUsd
            self.fault = fault
            self.cache = cache
            self.afterLeaving = afterLeaving
            self.hedge = hedge
            self.traceId = traceId
        }

        private enum CodingKeys: String, CodingKey {
            case id
            case endedAt = "ended_at"
            case operation
            case key
            case model
            case upstream
            case attempts
            case status
            case upstreamStatus = "upstream_status"
            case outcome
            case error
            case detail
            case inspection
            case finishReason = "finish_reason"
            case stream
            case ttftMs = "ttft_ms"
            case durationMs = "duration_ms"
            case promptTokens = "prompt_tokens"
            case completionTokens = "completion_tokens"
            case tokenSource = "token_source"
            case cachedTokens = "cached_tokens"
            case cacheWriteTokens = "cache_write_tokens"
            case costUsd = "cost_usd"
            case fault
            case cache
            case afterLeaving = "after_leaving"
            case hedge
            case traceId = "trace_id"
        }

        public func write(to json: inout JSONText) throws {
            json.beginObject()
            try json.member("after_leaving", ifPresent: self.afterLeaving)
            try json.member("attempts", ifPresent: self.attempts)
            try json.member("cache", ifPresent: self.cache)
            try json.member("cache_write_tokens", ifPresent: self.cacheWriteTokens)
            try json.member("cached_tokens", ifPresent: self.cachedTokens)
            try json.member("completion_tokens", ifPresent: self.completionTokens)
            try json.member("cost_usd", ifPresent: self.costUsd)
            try json.member("detail", ifPresent: self.detail)
            try json.member("duration_ms", self.durationMs)
            try json.member("ended_at", self.endedAt)
            try json.member("error", ifPresent: self.error)
            try json.member("fault", ifPresent: self.fault)
            try json.member("finish_reason", ifPresent: self.finishReason)
            try json.member("hedge", ifPresent: self.hedge)
            try json.member("id", self.id)
            try json.member("inspection", ifPresent: self.inspection)
            try json.member("key", ifPresent: self.key)
            try json.member("model", ifPresent: self.model)
            try json.member("operation", self.operation)
            try json.member("outcome", self.outcome)
            try json.member("prompt_tokens", ifPresent: self.promptTokens)
            try json.member("status", self.status)
            try json.member("stream", self.stream)
            try json.member("token_source", ifPresent: self.tokenSource)
            try json.member("trace_id", ifPresent: self.traceId)
            try json.member("ttft_ms", ifPresent: self.ttftMs)
            try json.member("upstream", ifPresent: self.upstream)
            try json.member("upstream_status", ifPresent: self.upstreamStatus)
            json.endObject()
        }
    }
}
