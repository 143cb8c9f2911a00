// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Schemas {
    public struct StatusAttempt: Codable, Hashable, Sendable, JSONWritable {
        public var upstream: String
        /// The upstream's name for the model, where it has another one.
        public var model: String?
        /// Which of the upstream's keys it carried, where there are several.
        public var keyNumber: Int?
        /// Why it failed; absent where it had a response.
        public var error: String?
        /// Until the failure, or until the response could be relayed.
        public var durationMs: Int

        public init(
            upstream: String,
            model: String? = nil,
            keyNumber: Int? = nil,
            error: String? = nil,
            durationMs: Int
        ) {
            self.upstream = upstream
            self.model = model
            self.keyNumber = keyNumber
            self.error = error
            self.durationMs = durationMs
        }

        private enum CodingKeys: String, CodingKey {
            case upstream
            case model
            case keyNumber = "key_number"
            case error
            case durationMs = "duration_ms"
        }

        public func write(to json: inout JSONText) throws {
            json.beginObject()
            try json.member("duration_ms", self.durationMs)
            try json.member("error", ifPresent: self.error)
            try json.member("key_number", ifPresent: self.keyNumber)
            try json.member("model", ifPresent: self.model)
            try json.member("upstream", self.upstream)
            json.endObject()
        }
    }
}
