// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Schemas {
    /// The store of responses, in verbose answers of gateways that have one.
    public struct ReadinessResponses: Codable, Hashable, Sendable {
        /// Whether what was to be kept last has been written.
        public var working: Bool
        /// Responses since the start that could not be written.
        public var lost: Int

        public init(working: Bool, lost: Int) {
            self.working = working
            self.lost = lost
        }

        private enum CodingKeys: String, CodingKey {
            case working
            case lost
        }
    }
}
