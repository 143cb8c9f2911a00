// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Schemas {
    /// The program that the gateway runs for an upstream.
    public struct StatusProgram: Codable, Hashable, Sendable, JSONWritable {
        public enum StatePayload: String, Codable, Hashable, Sendable, JSONWritable, CaseIterable {
            case stopped
            case starting
            case ready
            case stopping
            case failed
        }

        public var state: StatePayload
        /// Why it has failed.
        public var reason: String?
        /// Its `program_group`.
        public var group: String?
        public var requestsInFlight: Int
        /// Requests that wait for it.
        public var waiting: Int
        /// How often it was started.
        public var starts: Int
        /// The last lines that it has written, the newest last.
        public var output: [String]

        public init(
            state: StatePayload,
            reason: String? = nil,
            group: String? = nil,
            requestsInFlight: Int,
            waiting: Int,
            starts: Int,
            output: [String]
        ) {
            self.state = state
            self.reason = reason
            self.group = group
            self.requestsInFlight = requestsInFlight
            self.waiting = waiting
            self.starts = starts
            self.output = output
        }

        private enum CodingKeys: String, CodingKey {
            case state
            case reason
            case group
            case requestsInFlight = "requests_in_flight"
            case waiting
            case starts
            case output
        }

        public func write(to json: inout JSONText) throws {
            json.beginObject()
            try json.member("group", ifPresent: self.group)
            try json.member("output", self.output)
            try json.member("reason", ifPresent: self.reason)
            try json.member("requests_in_flight", self.requestsInFlight)
            try json.member("starts", self.starts)
            try json.member("state", self.state)
            try json.member("waiting", self.waiting)
            json.endObject()
        }
    }
}
