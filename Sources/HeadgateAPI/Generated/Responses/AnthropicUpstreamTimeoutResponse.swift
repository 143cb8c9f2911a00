// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Responses {
    /// The upstream did not answer in time, or all attempts together took longer than the model's configuration allows
    /// (`request_timeout`).
    public typealias AnthropicUpstreamTimeout = Components.Shared.XRequestIdRequestIdJsonAnthropicErrorResponse
}
