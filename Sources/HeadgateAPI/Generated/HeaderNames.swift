// Generated from openapi.yaml by openapi-generator; do not edit.

internal import HTTPTypes

/// The names of the headers that the contract describes.
enum HeaderNames {
    static let age = HTTPField.Name("age")!
    static let anthropicBeta = HTTPField.Name("anthropic-beta")!
    static let anthropicVersion = HTTPField.Name("anthropic-version")!
    static let lastEventId = HTTPField.Name("last-event-id")!
    static let requestId = HTTPField.Name("request-id")!
    static let retryAfter = HTTPField.Name("retry-after")!
    static let retryAfterMs = HTTPField.Name("retry-after-ms")!
    static let wwwAuthenticate = HTTPField.Name("www-authenticate")!
    static let xHeadgateAttempts = HTTPField.Name("x-headgate-attempts")!
    static let xHeadgateBudgetUsed = HTTPField.Name("x-headgate-budget-used")!
    static let xHeadgateCache = HTTPField.Name("x-headgate-cache")!
    static let xHeadgateCostUsd = HTTPField.Name("x-headgate-cost-usd")!
    static let xHeadgateDegraded = HTTPField.Name("x-headgate-degraded")!
    static let xHeadgateExplain = HTTPField.Name("x-headgate-explain")!
    static let xHeadgateFault = HTTPField.Name("x-headgate-fault")!
    static let xHeadgateUpstream = HTTPField.Name("x-headgate-upstream")!
    static let xRequestId = HTTPField.Name("x-request-id")!
    static let xShouldRetry = HTTPField.Name("x-should-retry")!
}
