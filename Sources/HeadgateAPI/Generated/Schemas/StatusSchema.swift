// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Schemas {
    public struct Status: Codable, Hashable, Sendable, JSONWritable {
        public var version: String
        public var startedAt: String
        public var now: String
        public var uptimeSeconds: Int
        /// Whether the gateway is shutting down.
        public var isDraining: Bool
        /// At upstreams.
        public var requestsInFlight: Int
        /// Those of them whose answers are streams.
        public var streamsInFlight: Int
        public var totals: Components.Schemas.StatusTotals
        /// In the order of the configuration.
        public var upstreams: [Components.Schemas.StatusUpstream]
        /// Those with several targets or a breaker.
        public var models: [Components.Schemas.StatusModel]
        /// Those of the configuration: of its keys, of groups, and of all requests together. What managed keys have
        /// used is told by /v1/admin/keys.
        public var budgets: [Components.Schemas.StatusBudget]
        /// The last 200 requests, the latest first.
        public var recent: [Components.Schemas.StatusRequest]

        public init(
            version: String,
            startedAt: String,
            now: String,
            uptimeSeconds: Int,
            isDraining: Bool,
            requestsInFlight: Int,
            streamsInFlight: Int,
            totals: Components.Schemas.StatusTotals,
            upstreams: [Components.Schemas.StatusUpstream],
            models: [Components.Schemas.StatusModel],
            budgets: [Components.Schemas.StatusBudget],
            recent: [Components.Schemas.StatusRequest]
        ) {
            self.version = version
            self.startedAt = startedAt
            self.now = now
            self.uptimeSeconds = uptimeSeconds
            self.isDraining = isDraining
            self.requestsInFlight = requestsInFlight
            self.streamsInFlight = streamsInFlight
            self.totals = totals
            self.upstreams = upstreams
            self.models = models
            self.budgets = budgets
            self.recent = recent
        }

        private enum CodingKeys: String, CodingKey {
            case version
            case startedAt = "started_at"
            case now
            case uptimeSeconds = "uptime_seconds"
            case isDraining = "is_draining"
            case requestsInFlight = "requests_in_flight"
            case streamsInFlight = "streams_in_flight"
            case totals
            case upstreams
            case models
            case budgets
            case recent
        }

        public func write(to json: inout JSONText) throws {
            json.beginObject()
            try json.member("budgets", self.budgets)
            try json.member("is_draining", self.isDraining)
            try json.member("models", self.models)
            try json.member("now", self.now)
            try json.member("recent", self.recent)
            try json.member("requests_in_flight", self.requestsInFlight)
            try json.member("started_at", self.startedAt)
            try json.member("streams_in_flight", self.streamsInFlight)
            try json.member("totals", self.totals)
            try json.member("upstreams", self.upstreams)
            try json.member("uptime_seconds", self.uptimeSeconds)
            try json.member("version", self.version)
            json.endObject()
        }
    }
}
