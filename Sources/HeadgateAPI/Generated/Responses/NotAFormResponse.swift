// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Responses {
    /// The body is not multipart/form-data with a boundary, or is compressed.
    public typealias NotAForm = Components.Shared.XRequestIdJsonErrorResponse
}
