// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Schemas {
    public struct StatusUpstream: Codable, Hashable, Sendable, JSONWritable {
        public var name: String
        public var kind: String
        /// Whether it answered the last time; null while nothing was asked.
        public var reachable: Bool?
        /// What the last active check said; null without one.
        public var healthy: Bool?
        /// Whether a connection has just found no route to it or no such name.
        public var offline: Bool
        public var requestsInFlight: Int
        public var streamsInFlight: Int
        /// The `max_in_flight` of the configuration.
        public var inFlightLimit: Int?
        /// Requests that wait for one in flight to end; where there is a limit.
        public var waiting: Int?
        public var keys: Components.Schemas.StatusKeys
        public var program: Components.Schemas.StatusProgram?
        public var lastError: Components.Schemas.StatusFailure?

        public init(
            name: String,
            kind: String,
            reachable: Bool? = nil,
            healthy: Bool? = nil,
            offline: Bool,
            requestsInFlight: Int,
            streamsInFlight: Int,
            inFlightLimit: Int? = nil,
            waiting: Int? = nil,
            keys: Components.Schemas.StatusKeys,
            program: Components.Schemas.StatusProgram? = nil,
            lastError: Components.Schemas.StatusFailure? = nil
        ) {
            self.name = name
            self.kind = kind
            self.reachable = reachable
            self.healthy = healthy
            self.offline = offline
            self.requestsInFlight = requestsInFlight
            self.streamsInFlight = streamsInFlight
            self.inFlightLimit = inFlightLimit
            self.waiting = waiting
            self.keys = keys
            self.program = program
            self.lastError = lastError
        }

        private enum CodingKeys: String, CodingKey {
            case name
            case kind
            case reachable
            case healthy
            case offline
            case requestsInFlight = "requests_in_flight"
            case streamsInFlight = "streams_in_flight"
            case inFlightLimit = "in_flight_limit"
            case waiting
            case keys
            case program
            case lastError = "last_error"
        }

        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(name, forKey: .name)
            try container.encode(kind, forKey: .kind)
            try container.encode(reachable, forKey: .reachable)
            try container.encode(healthy, forKey: .healthy)
            try container.encode(offline, forKey: .offline)
            try container.encode(requestsInFlight, forKey: .requestsInFlight)
            try container.encode(streamsInFlight, forKey: .streamsInFlight)
            try container.encodeIfPresent(inFlightLimit, forKey: .inFlightLimit)
            try container.encodeIfPresent(waiting, forKey: .waiting)
            try container.encode(keys, forKey: .keys)
            try container.encodeIfPresent(program, forKey: .program)
            try container.encodeIfPresent(lastError, forKey: .lastError)
        }

        public func write(to json: inout JSONText) throws {
            json.beginObject()
            try json.member("healthy", self.healthy)
            try json.member("in_flight_limit", ifPresent: self.inFlightLimit)
            try json.member("keys", self.keys)
            try json.member("kind", self.kind)
            try json.member("last_error", ifPresent: self.lastError)
            try json.member("name", self.name)
            try json.member("offline", self.offline)
            try json.member("program", ifPresent: self.program)
            try json.member("reachable", self.reachable)
            try json.member("requests_in_flight", self.requestsInFlight)
            try json.member("streams_in_flight", self.streamsInFlight)
            try json.member("waiting", ifPresent: self.waiting)
            json.endObject()
        }
    }
}
