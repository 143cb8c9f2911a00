// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Responses {
    /// The body is not application/json, or is compressed in another way than gzip, deflate or zstd.
    public typealias NotJSON = Components.Shared.XRequestIdJsonErrorResponse
}
