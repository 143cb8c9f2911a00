// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Schemas {
    public struct ReadinessUpstream: Codable, Hashable, Sendable, JSONWritable {
        public var name: String
        /// Whether it answered the last time; null while nothing was asked.
        public var reachable: Bool?
        /// What the last active check said; null without one.
        public var healthy: Bool?
        /// Whether a connection has just found no route to it or no such name.
        public var offline: Bool
        /// Targets of it that get no requests after failures.
        public var openBreakers: Int
        /// State of the command that prints the key: ready, or why there is no newer key. Never the key itself.
        public var key: String?

        public init(
            name: String,
            reachable: Bool? = nil,
            healthy: Bool? = nil,
            offline: Bool,
            openBreakers: Int,
            key: String? = nil
        ) {
            self.name = name
            self.reachable = reachable
            self.healthy = healthy
            self.offline = offline
            self.openBreakers = openBreakers
            self.key = key
        }

        private enum CodingKeys: String, CodingKey {
            case name
            case reachable
            case healthy
            case offline
            case openBreakers = "open_breakers"
            case key
        }

        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(name, forKey: .name)
            try container.encode(reachable, forKey: .reachable)
            try container.encode(healthy, forKey: .healthy)
            try container.encode(offline, forKey: .offline)
            try container.encode(openBreakers, forKey: .openBreakers)
            try container.encodeIfPresent(key, forKey: .key)
        }

        public func write(to json: inout JSONText) throws {
            json.beginObject()
            try json.member("healthy", self.healthy)
            try json.member("key", ifPresent: self.key)
            try json.member("name", self.name)
            try json.member("offline", self.offline)
            try json.member("open_breakers", self.openBreakers)
            try json.member("reachable", self.reachable)
            json.endObject()
        }
    }
}
