// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Schemas {
    public struct InspectedAttempt: Codable, Hashable, Sendable, JSONWritable {
        public var upstream: String
        /// Method, authority and path.
        public var place: String
        public var startedMs: Double
        /// When the head of its response or its failure came.
        public var respondedMs: Double?
        public var status: Int?
        /// A word for a failure without a response.
        public var error: String?
        public var headers: [Components.Schemas.InspectedHeader]
        public var body: Components.Schemas.InspectedBody?
        public var response: Components.Schemas.InspectedBody?

        public init(
            upstream: String,
            place: String,
            startedMs: Double,
            respondedMs: Double? = nil,
            status: Int? = nil,
            error: String? = nil,
            headers: [Components.Schemas.InspectedHeader],
            body: Components.Schemas.InspectedBody? = nil,
            response: Components.Schemas.InspectedBody? = nil
        ) {
            self.upstream = upstream
            self.place = place
            self.startedMs = startedMs
            self.respondedMs = respondedMs
            self.status = status
            self.error = error
            self.headers = headers
            self.body = body
            self.response = response
        }

        private enum CodingKeys: String, CodingKey {
            case upstream
            case place
            case startedMs = "started_ms"
            case respondedMs = "responded_ms"
            case status
            case error
            case headers
            case body
            case response
        }

        public func write(to json: inout JSONText) throws {
            json.beginObject()
            try json.member("body", ifPresent: self.body)
            try json.member("error", ifPresent: self.error)
            try json.member("headers", self.headers)
            try json.member("place", self.place)
            try json.member("responded_ms", ifPresent: self.respondedMs)
            try json.member("response", ifPresent: self.response)
            try json.member("started_ms", self.startedMs)
            try json.member("status", ifPresent: self.status)
            try json.member("upstream", self.upstream)
            json.endObject()
        }
    }
}
