// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Schemas {
    public struct OllamaModelList: Codable, Hashable, Sendable, JSONWritable {
        public var models: [Components.Schemas.OllamaModel]

        public init(models: [Components.Schemas.OllamaModel]) {
            self.models = models
        }

        private enum CodingKeys: String, CodingKey {
            case models
        }

        public func write(to json: inout JSONText) throws {
            json.beginObject()
            try json.member("models", self.models)
            json.endObject()
        }
    }
}
