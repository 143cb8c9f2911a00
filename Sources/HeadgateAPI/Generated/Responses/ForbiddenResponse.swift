// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Responses {
    /// This key may not use that model or see that data, the request came from a foreign web page, or the
    /// upstream refused what was asked, such as a region, a content or a project, in its own words.
    public typealias Forbidden = Components.Shared.XRequestIdJsonErrorResponse
}
