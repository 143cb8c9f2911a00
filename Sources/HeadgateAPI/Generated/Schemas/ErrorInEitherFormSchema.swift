// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Schemas {
    public enum ErrorInEitherForm: Codable, Hashable, Sendable, JSONWritable {
        case error(Components.Schemas.Error)
        case anthropicError(Components.Schemas.AnthropicError)

        public init(from decoder: any Decoder) throws {
            if let value = try? Components.Schemas.Error(from: decoder) {
                self = .error(value)
                return
            }
            self = .anthropicError(try .init(from: decoder))
        }

        public func encode(to encoder: any Encoder) throws {
            switch self {
            case .error(let value): try value.encode(to: encoder)
            case .anthropicError(let value): try value.encode(to: encoder)
            }
        }

        public func write(to json: inout JSONText) throws {
            switch self {
            case .error(let value): try value.write(to: &json)
            case .anthropicError(let value): try value.write(to: &json)
            }
        }
    }
}
