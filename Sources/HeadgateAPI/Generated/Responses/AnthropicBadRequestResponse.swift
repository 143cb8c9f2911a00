// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Responses {
    /// The request is malformed, or it needs what the format of the model's upstream does not have; the message names
    /// the place.
    public typealias AnthropicBadRequest = Components.Shared.XRequestIdRequestIdJsonAnthropicErrorResponse
}
