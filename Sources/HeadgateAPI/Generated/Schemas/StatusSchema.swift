// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Schemas {
    package struct Status: Codable, Hashable, Sendable {
        package var version: String
        package var startedAt: String
        package var now: String
        package var uptimeSeconds: Int
        /// Whether the gateway is shutting down.
        package var isDraining: Bool
        /// At upstreams.
        package var requestsInFlight: Int
        /// Those of them whose answers are streams.
        package var streamsInFlight: Int
        package var totals: Components.Schemas.StatusTotals
        /// In the order of the configuration.
        package var upstreams: [Components.Schemas.StatusUpstream]
        /// The last 200 requests, the latest first.
        package var recent: [Components.Schemas.StatusRequest]

        package init(
            version: String,
            startedAt: String,
            now: String,
            uptimeSeconds: Int,
            isDraining: Bool,
            requestsInFlight: Int,
            streamsInFlight: Int,
            totals: Components.Schemas.StatusTotals,
            upstreams: [Components.Schemas.StatusUpstream],
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
            case recent
        }
    }
}
