package import HTTPTypes
internal import HeadgateHTTP

/// Headers that vendors' APIs define.
extension HTTPField.Name {
    package static let anthropicVersion = known("anthropic-version")
    package static let anthropicBeta = known("anthropic-beta")
    package static let openAIBeta = known("OpenAI-Beta")
    static let idempotencyKey = known("Idempotency-Key")
    static let xClientRequestID = known("x-client-request-id")
    package static let lastEventID = known("last-event-id")
    static let azureAPIKey = known("api-key")
}
