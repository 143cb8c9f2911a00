// Generated from openapi.yaml by openapi-generator; do not edit.

extension OpenAPIDocument {
    // swift-format-ignore
    static let yaml9 = ##"""
      properties:
        type: {type: string, const: error}
        error: {$ref: "#/components/schemas/AnthropicErrorDetail"}
        request_id: {type: string, description: The same as the header `request-id`.}
    AnthropicErrorDetail:
      type: object
      required: [type, message]
      additionalProperties: false
      properties:
        type: {type: string, examples: [invalid_request_error, not_found_error, overloaded_error, api_error]}
        message: {type: string}
    ErrorInEitherForm:
      oneOf:
        - $ref: "#/components/schemas/Error"
        - $ref: "#/components/schemas/AnthropicError"

"""##
}
