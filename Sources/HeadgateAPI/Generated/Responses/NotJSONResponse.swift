// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Responses {
    /// The body is not application/json, or is compressed.
    public typealias NotJSON = Components.Shared.XRequestIdJsonErrorResponse
}
