package import HTTPTypes

extension HTTPField.Name {
    /// - Parameter name: must be a token.
    package static func known(_ name: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(name) else { preconditionFailure("not a field name") }
        return name
    }

    package static let host = known("Host")
    package static let xAPIKey = known("x-api-key")
    package static let requestID = known("request-id")
    package static let xRequestID = known("x-request-id")
    package static let xShouldRetry = known("x-should-retry")
    package static let retryAfterMilliseconds = known("retry-after-ms")
    package static let secFetchSite = known("Sec-Fetch-Site")
    package static let xAccelBuffering = known("X-Accel-Buffering")
}
