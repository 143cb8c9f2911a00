// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Responses {
    /// The upstream is starting or overloaded, no target of the model takes requests now (`no_target_available`), or
    /// the gateway
    /// is shutting down or at its connection limit.
    public typealias AnthropicNotReady = Components.Shared.XRequestIdRequestIdAnd3MoreJsonAnthropicErrorResponse
}
