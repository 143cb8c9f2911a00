// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Schemas {
    public struct ErrorDetail: Codable, Hashable, Sendable, JSONWritable {
        public var message: String
        public var type: String
        public var param: String?
        public var code: String?

        public init(message: String, type: String, param: String? = nil, code: String? = nil) {
            self.message = message
            self.type = type
            self.param = param
            self.code = code
        }

        private enum CodingKeys: String, CodingKey {
            case message
            case type
            case param
            case code
        }

        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(message, forKey: .message)
            try container.encode(type, forKey: .type)
            try container.encode(param, forKey: .param)
            try container.encode(code, forKey: .code)
        }

        public func write(to json: inout JSONText) throws {
            json.beginObject()
            try json.member("code", self.code)
            try json.member("message", self.message)
            try json.member("param", self.param)
            try json.member("type", self.type)
            json.endObject()
        }
    }
}
