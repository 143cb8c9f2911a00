// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Responses {
    /// There is no upstream with that name whose program the gateway runs.
    public typealias UnknownProgram = Components.Shared.XRequestIdJsonErrorResponse
}
