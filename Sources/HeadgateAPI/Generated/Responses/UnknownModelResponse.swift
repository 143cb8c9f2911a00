// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Responses {
    /// No such model is configured (the message names the one that was asked for), or the request is to be answered
    /// from a recording
    /// and none is of it (code `not_recorded`).
    public typealias UnknownModel = Components.Shared.XRequestIdJsonErrorResponse
}
