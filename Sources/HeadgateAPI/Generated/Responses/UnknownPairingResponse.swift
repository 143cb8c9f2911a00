// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Responses {
    /// The code is unknown, has been used, or has expired.
    public typealias UnknownPairing = Components.Shared.XRequestIdJsonErrorResponse
}
