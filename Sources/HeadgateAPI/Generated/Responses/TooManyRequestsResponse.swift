// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Responses {
    /// A limit of the key, its group or the model is reached (`rate_limit_exceeded`), a budget is used up
    /// (`budget_exceeded`), the
    /// upstream wants fewer requests, or too many wrong keys came from this address (`too_many_wrong_keys`).
    public typealias TooManyRequests = Components.Shared.XRequestIdRetryAfterAnd2MoreJsonErrorResponse
}
