// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Schemas {
    package struct Health: Codable, Hashable, Sendable {
        package enum StatusPayload: String, Codable, Hashable, Sendable, CaseIterable {
            case ok
            case draining
        }

        package var status: StatusPayload

        package init(status: StatusPayload) {
            self.status = status
        }

        private enum CodingKeys: String, CodingKey {
            case status
        }
    }
}
