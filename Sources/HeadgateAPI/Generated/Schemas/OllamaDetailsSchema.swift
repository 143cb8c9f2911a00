// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Schemas {
    public struct OllamaDetails: Codable, Hashable, Sendable, JSONWritable {
        public var parentModel: String
        public var format: String
        /// The upstream's name; with several targets that of the first.
        public var family: String
        public var families: [String]
        public var parameterSize: String
        public var quantizationLevel: String
        /// Maximum tokens of prompt and completion together. Absent if no upstream lists it.
        public var contextLength: Int?

        public init(
            parentModel: String,
            format: String,
            family: String,
            families: [String],
            parameterSize: String,
            quantizationLevel: String,
            contextLength: Int? = nil
        ) {
            self.parentModel = parentModel
            self.format = format
            self.family = family
            self.families = families
            self.parameterSize = parameterSize
            self.quantizationLevel = quantizationLevel
            self.contextLength = contextLength
        }

        private enum CodingKeys: String, CodingKey {
            case parentModel = "parent_model"
            case format
            case family
            case families
            case parameterSize = "parameter_size"
            case quantizationLevel = "quantization_level"
            case contextLength = "context_length"
        }

        public func write(to json: inout JSONText) throws {
            json.beginObject()
            try json.member("context_length", ifPresent: self.contextLength)
            try json.member("families", self.families)
            try json.member("family", self.family)
            try json.member("format", self.format)
            try json.member("parameter_size", self.parameterSize)
            try json.member("parent_model", self.parentModel)
            try json.member("quantization_level", self.quantizationLevel)
            json.endObject()
        }
    }
}
