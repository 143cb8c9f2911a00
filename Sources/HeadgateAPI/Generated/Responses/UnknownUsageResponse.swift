// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Responses {
    /// The gateway keeps no usage.
    public typealias UnknownUsage = Components.Shared.XRequestIdJsonErrorResponse
}
