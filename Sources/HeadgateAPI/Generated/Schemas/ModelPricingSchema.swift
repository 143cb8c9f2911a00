// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Schemas {
    /// Prices in USD per token: those of the upstream's list, otherwise of the gateway's price list. Absent if neither
    /// knows the model.
    public struct ModelPricing: Codable, Hashable, Sendable, JSONWritable {
        public var prompt: String?
        public var completion: String?

        public init(prompt: String? = nil, completion: String? = nil) {
            self.prompt = prompt
            self.completion = completion
        }

        private enum CodingKeys: String, CodingKey {
            case prompt
            case completion
        }

        public func write(to json: inout JSONText) throws {
            json.beginObject()
            try json.member("completion", ifPresent: self.completion)
            try json.member("prompt", ifPresent: self.prompt)
            json.endObject()
        }
    }
}
