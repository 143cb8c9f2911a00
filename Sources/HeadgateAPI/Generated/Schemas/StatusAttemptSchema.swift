// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Schemas {
    public struct StatusAttempt: Codable, Hashable, Sendable {
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
    }
}
