// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Schemas {
    /// The lists are there only in verbose answers.
    public struct Readiness: Codable, Hashable, Sendable, JSONWritable {
        public enum StatusPayload: String, Codable, Hashable, Sendable, JSONWritable, CaseIterable {
            case ok
            case draining
        }

        public var status: StatusPayload
        /// In the order of the configuration.
        public var upstreams: [Components.Schemas.ReadinessUpstream]?
        /// Those with several targets or a breaker.
        public var models: [Components.Schemas.ReadinessModel]?
        public var counters: Components.Schemas.ReadinessCounters?
        public var ledger: Components.Schemas.ReadinessLedger?
        public var cache: Components.Schemas.ReadinessCache?
        public var responses: Components.Schemas.ReadinessResponses?

        public init(
            status: StatusPayload,
            upstreams: [Components.Schemas.ReadinessUpstream]? = nil,
            models: [Components.Schemas.ReadinessModel]? = nil,
            counters: Components.Schemas.ReadinessCounters? = nil,
            ledger: Components.Schemas.ReadinessLedger? = nil,
            cache: Components.Schemas.ReadinessCache? = nil,
            responses: Components.Schemas.ReadinessResponses? = nil
        ) {
            self.status = status
            self.upstreams = upstreams
            self.models = models
            self.counters = counters
            self.ledger = ledger
            self.cache = cache
            self.responses = responses
        }

        private enum CodingKeys: String, CodingKey {
            case status
            case upstreams
            case models
            case counters
            case ledger
            case cache
            case responses
        }

        public func write(to json: inout JSONText) throws {
            json.beginObject()
            try json.member("cache", ifPresent: self.cache)
            try json.member("counters", ifPresent: self.counters)
            try json.member("ledger", ifPresent: self.ledger)
            try json.member("models", ifPresent: self.models)
            try json.member("responses", ifPresent: self.responses)
            try json.member("status", self.status)
            try json.member("upstreams", ifPresent: self.upstreams)
            json.endObject()
        }
    }
}
