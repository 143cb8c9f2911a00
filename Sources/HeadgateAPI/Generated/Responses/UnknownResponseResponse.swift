// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Responses {
    /// The upstream has kept no such response, or it is another key's.
    public typealias UnknownResponse = Components.Shared.XRequestIdJsonErrorResponse
}
