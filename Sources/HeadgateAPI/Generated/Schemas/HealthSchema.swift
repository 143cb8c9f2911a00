// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Schemas {
    public struct Health: Codable, Hashable, Sendable, JSONWritable {
        public enum StatusPayload: String, Codable, Hashable, Sendable, JSONWritable, CaseIterable {
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

        public func write(to json: inout JSONText) throws {
            json.beginObject()
            try json.member("status", self.status)
            json.endObject()
        }
    }
}
