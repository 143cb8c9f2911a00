// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Responses {
    /// There is no key with that name.
    public typealias UnknownKey = Components.Shared.XRequestIdJsonErrorResponse
}
