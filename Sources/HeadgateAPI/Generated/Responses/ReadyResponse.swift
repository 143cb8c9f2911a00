// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Responses {
    /// Yes.
    public typealias Ready = Components.Shared.XRequestIdJsonReadinessResponse
}
