// Generated from openapi.yaml by openapi-generator; do not edit.

extension OpenAPIDocument {
    // swift-format-ignore
    static let yaml4 = ##"""
        message: {type: string}
    ErrorInEitherForm:
      oneOf:
        - $ref: "#/components/schemas/Error"
        - $ref: "#/components/schemas/AnthropicError"

"""##
}
