// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Schemas {
    public struct InspectedBody: Codable, Hashable, Sendable, JSONWritable {
        /// Bytes of the whole body.
        public var size: Int
        /// Whether the text is only its beginning.
        public var cut: Bool
        /// Absent if the body is not text.
        public var text: String?

        public init(size: Int, cut: Bool, text: String? = nil) {
            self.size = size
            self.cut = cut
            self.text = text
        }

        private enum CodingKeys: String, CodingKey {
            case size
            case cut
            case text
        }

        public func write(to json: inout JSONText) throws {
            json.beginObject()
            try json.member("cut", self.cut)
            try json.member("size", self.size)
            try json.member("text", ifPresent: self.text)
            json.endObject()
        }
    }
}
