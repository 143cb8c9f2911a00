// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Responses {
    /// The gateway is shutting down.
    public typealias Draining = Components.Shared.XRequestIdJsonReadinessResponse
}
