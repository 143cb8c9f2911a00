// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Responses {
    /// No such stream, or another key's, or one that was stopped, has expired or was lost with a restart of the
    /// gateway.
    public typealias UnknownStream = Components.Shared.XRequestIdJsonErrorResponse
}
