// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Responses {
    /// There is a key with that name already, or it is one of the configuration.
    public typealias KeyConflict = Components.Shared.XRequestIdJsonErrorResponse
}
