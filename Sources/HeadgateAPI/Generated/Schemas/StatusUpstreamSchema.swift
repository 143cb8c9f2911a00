// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Schemas {
    public struct StatusUpstream: Codable, Hashable, Sendable {
        public var name: String
        public var kind: String
        /// Whether it answered the last time; null while nothing was asked.
        public var reachable: Bool?
        public var requestsInFlight: Int
        public var streamsInFlight: Int
        public var lastError: Components.Schemas.StatusFailure?

        public init(
            name: String,
            kind: String,
            reachable: Bool? = nil,
            requestsInFlight: Int,
            streamsInFlight: Int,
            lastError: Components.Schemas.StatusFailure? = nil
        ) {
            self.name = name
            self.kind = kind
            self.reachable = reachable
            self.requestsInFlight = requestsInFlight
            self.streamsInFlight = streamsInFlight
            self.lastError = lastError
        }

        private enum CodingKeys: String, CodingKey {
            case name
            case kind
            case reachable
            case requestsInFlight = "requests_in_flight"
            case streamsInFlight = "streams_in_flight"
            case lastError = "last_error"
        }

        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(name, forKey: .name)
            try container.encode(kind, forKey: .kind)
            try container.encode(reachable, forKey: .reachable)
            try container.encode(requestsInFlight, forKey: .requestsInFlight)
            try container.encode(streamsInFlight, forKey: .streamsInFlight)
            try container.encodeIfPresent(lastError, forKey: .lastError)
        }
    }
}
