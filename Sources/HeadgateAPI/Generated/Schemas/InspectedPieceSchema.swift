// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Schemas {
    public struct InspectedPiece: Codable, Hashable, Sendable, JSONWritable {
        public var atMs: Double
        public var text: String

        public init(atMs: Double, text: String) {
            self.atMs = atMs
            self.text = text
        }

        private enum CodingKeys: String, CodingKey {
            case atMs = "at_ms"
            case text
        }

        public func write(to json: inout JSONText) throws {
            json.beginObject()
            try json.member("at_ms", self.atMs)
            try json.member("text", self.text)
            json.endObject()
        }
    }
}
