// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Schemas {
    public struct InspectedHeader: Codable, Hashable, Sendable, JSONWritable {
        public var name: String
        public var value: String

        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }

        private enum CodingKeys: String, CodingKey {
            case name
            case value
        }

        public func write(to json: inout JSONText) throws {
            json.beginObject()
            try json.member("name", self.name)
            try json.member("value", self.value)
            json.endObject()
        }
    }
}
