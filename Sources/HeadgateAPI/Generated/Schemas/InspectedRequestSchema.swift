// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Schemas {
    public struct InspectedRequest: Codable, Hashable, Sendable, JSONWritable {
        public var number: Int
        public var operation: String
        /// Without its query.
        public var path: String
        public var startedAt: String
        /// Since the start, as all times here; absent before the end.
        public var endedMs: Double?
        public var headers: [Components.Schemas.InspectedHeader]
        public var body: Components.Schemas.InspectedBody
        /// Requests to upstreams, at most 16.
        public var attempts: [Components.Schemas.InspectedAttempt]
        /// Status of the response; absent before it and for an error of the gateway itself.
        public var status: Int?
        /// Message of an error of the gateway itself.
        public var error: String?
        public var response: Components.Schemas.InspectedResponse

        public init(
            number: Int,
            operation: String,
            path: String,
            startedAt: String,
            endedMs: Double? = nil,
            headers: [Components.Schemas.InspectedHeader],
            body: Components.Schemas.InspectedBody,
            attempts: [Components.Schemas.InspectedAttempt],
            status: Int? = nil,
            error: String? = nil,
            response: Components.Schemas.InspectedResponse
        ) {
            self.number = number
            self.operation = operation
            self.path = path
            self.startedAt = startedAt
            self.endedMs = endedMs
            self.headers = headers
            self.body = body
            self.attempts = attempts
            self.status = status
            self.error = error
            self.response = response
        }

        private enum CodingKeys: String, CodingKey {
            case number
            case operation
            case path
            case startedAt = "started_at"
            case endedMs = "ended_ms"
            case headers
            case body
            case attempts
            case status
            case error
            case response
        }

        public func write(to json: inout JSONText) throws {
            json.beginObject()
            try json.member("attempts", self.attempts)
            try json.member("body", self.body)
            try json.member("ended_ms", ifPresent: self.endedMs)
            try json.member("error", ifPresent: self.error)
            try json.member("headers", self.headers)
            try json.member("number", self.number)
            try json.member("operation", self.operation)
            try json.member("path", self.path)
            try json.member("response", self.response)
            try json.member("started_at", self.startedAt)
            try json.member("status", ifPresent: self.status)
            json.endObject()
        }
    }
}
