// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Schemas {
    public struct StatusTarget: Codable, Hashable, Sendable, JSONWritable {
        public enum BreakerPayload: String, Codable, Hashable, Sendable, JSONWritable, CaseIterable {
            case closed
            case open
            case halfOpen = "half_open"
        }

        public var upstream: String
        /// The upstream's name for the model, where it has another one.
        public var model: String?
        public var weight: Int
        /// Whether it has shown no reason to leave it alone: its breaker, its upstream's health or keys.
        public var usable: Bool
        public var breaker: BreakerPayload?
        /// When an open breaker lets a request through.
        public var openUntil: String?
        public var requestsInFlight: Int
        /// Until the first content; a moving average over the last minute.
        public var ttftMs: Double?

        public init(
            upstream: String,
            model: String? = nil,
            weight: Int,
            usable: Bool,
            breaker: BreakerPayload? = nil,
            openUntil: String? = nil,
            requestsInFlight: Int,
            ttftMs: Double? = nil
        ) {
            self.upstream = upstream
            self.model = model
            self.weight = weight
            self.usable = usable
            self.breaker = breaker
            self.openUntil = openUntil
            self.requestsInFlight = requestsInFlight
            self.ttftMs = ttftMs
        }

        private enum CodingKeys: String, CodingKey {
            case upstream
            case model
            case weight
            case usable
            case breaker
            case openUntil = "open_until"
            case requestsInFlight = "requests_in_flight"
            case ttftMs = "ttft_ms"
        }

        public func write(to json: inout JSONText) throws {
            json.beginObject()
            try json.member("breaker", ifPresent: self.breaker)
            try json.member("model", ifPresent: self.model)
            try json.member("open_until", ifPresent: self.openUntil)
            try json.member("requests_in_flight", self.requestsInFlight)
            try json.member("ttft_ms", ifPresent: self.ttftMs)
            try json.member("upstream", self.upstream)
            try json.member("usable", self.usable)
            try json.member("weight", self.weight)
            json.endObject()
        }
    }
}
