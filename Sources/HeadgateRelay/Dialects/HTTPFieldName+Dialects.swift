package import HTTPTypes
internal import HeadgateHTTP

/// Headers that vendors' APIs define.
extension HTTPField.Name {
    package static let anthropicVersion = known("anthropic-version")
    package static let anthropicBeta = known("anthropic-beta")
    package static let lastEventID = known("last-event-id")
    static let azureAPIKey = known("api-key")
}
