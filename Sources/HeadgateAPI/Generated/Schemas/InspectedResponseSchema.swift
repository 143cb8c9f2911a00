// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Schemas {
    public struct InspectedResponse: Codable, Hashable, Sendable, JSONWritable {
        /// Bytes of the whole body.
        public var size: Int
        /// Whether the pieces are only its beginning.
        public var cut: Bool
        /// As the client got them, at most 1000; absent if the body is not text.
        public var pieces: [Components.Schemas.InspectedPiece]?

        public init(size: Int, cut: Bool, pieces: [Components.Schemas.InspectedPiece]? = nil) {
            self.size = size
            self.cut = cut
            self.pieces = pieces
        }

        private enum CodingKeys: String, CodingKey {
            case size
            case cut
            case pieces
        }

        public func write(to json: inout JSONText) throws {
            json.beginObject()
            try json.member("cut", self.cut)
            try json.member("pieces", ifPresent: self.pieces)
            try json.member("size", self.size)
            json.endObject()
        }
    }
}
