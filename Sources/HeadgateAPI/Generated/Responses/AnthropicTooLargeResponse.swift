// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Responses {
    /// The body is larger than the configured limit.
    public typealias AnthropicTooLarge = Components.Shared.XRequestIdRequestIdJsonAnthropicErrorResponse
}
