// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Responses {
    /// No such model is configured, or the request goes on from a response that this key may not reach.
    public typealias UnknownModelOrResponse = Components.Shared.XRequestIdJsonErrorResponse
}
