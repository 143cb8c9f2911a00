// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Responses {
    /// Another error of the gateway, or of the upstream with its status, message and type.
    public typealias AnthropicOtherError = Components.Shared.XRequestIdRequestIdJsonAnthropicErrorResponse
}
