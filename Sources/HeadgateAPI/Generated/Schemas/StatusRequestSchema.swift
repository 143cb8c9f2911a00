// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Schemas {
    public struct StatusRequest: Codable, Hashable, Sendable {
        /// What became of a second attempt that began beside the first: it had content first, the other one had, or
        /// neither had.
        public enum HedgePayload: String, Codable, Hashable, Sendable, CaseIterable {
            case won
            case lost
            case failed
        }

        public enum OutcomePayload: String, Codable, Hashable, Sendable, CaseIterable {
            case finished
            case clientGone = "client_gone"
            case upstreamFailed = "upstream_failed"
            case timedOut = "timed_out"
            case refused
            case drained
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
        /// How many there were, where one did not suffice.
        public var attempts: Int?
        /// What became of a second attempt that began beside the first: it had content first, the other one had, or
        /// neither had.
        public var hedge: HedgePayload?
        public var status: Int
        public var outcome: OutcomePayload
        /// A word for what went wrong.
        public var error: String?
        public var stream: Bool
        /// Until the first content.
        public var ttftMs: Double?
        public var durationMs: Double
        public var promptTokens: Int?
        public var completionTokens: Int?

        public init(
            id: String,
            endedAt: String,
            operation: String,
            key: String? = nil,
            model: String? = nil,
            upstream: String? = nil,
            attempts: Int? = nil,
            hedge: HedgePayload? = nil,
            status: Int,
            outcome: OutcomePayload,
            error: String? = nil,
            stream: Bool,
            ttftMs: Double? = nil,
            durationMs: Double,
            promptTokens: Int? = nil,
            completionTokens: Int? = nil
        ) {
            self.id = id
            self.endedAt = endedAt
            self.operation = operation
            self.key = key
            self.model = model
            self.upstream = upstream
            self.attempts = attempts
            self.hedge = hedge
            self.status = status
            self.outcome = outcome
            self.error = error
            self.stream = stream
            self.ttftMs = ttftMs
            self.durationMs = durationMs
            self.promptTokens = promptTokens
            self.completionTokens = completionTokens
        }

        private enum CodingKeys: String, CodingKey {
            case id
            case endedAt = "ended_at"
            case operation
            case key
            case model
            case upstream
            case attempts
            case hedge
            case status
            case outcome
            case error
            case stream
            case ttftMs = "ttft_ms"
            case durationMs = "duration_ms"
            case promptTokens = "prompt_tokens"
            case completionTokens = "completion_tokens"
        }
    }
}
