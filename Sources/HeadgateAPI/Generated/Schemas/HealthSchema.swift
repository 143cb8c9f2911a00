// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Schemas {
    public struct Health: Codable, Hashable, Sendable {
        public enum StatusPayload: String, Codable, Hashable, Sendable, CaseIterable {
            case ok
            case draining
        }

        public var status: StatusPayload

        public init(status: StatusPayload) {
            self.status = status
        }

        private enum CodingKeys: String, CodingKey {
            case status
        }
    }
}
