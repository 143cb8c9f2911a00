// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Schemas {
    public struct OllamaRunningList: Codable, Hashable, Sendable {
        public var models: [Components.Schemas.OllamaRunningModel]

        public init(models: [Components.Schemas.OllamaRunningModel]) {
            self.models = models
        }

        private enum CodingKeys: String, CodingKey {
            case models
        }
    }
}
