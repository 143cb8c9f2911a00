// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Responses {
    /// The gateway stores no content of requests, or newer requests have displaced this one.
    public typealias NotInspected = Components.Shared.XRequestIdJsonErrorResponse
}
