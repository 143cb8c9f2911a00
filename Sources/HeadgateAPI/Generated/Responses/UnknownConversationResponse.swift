// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Responses {
    /// The gateway keeps no such conversation, or no such item of it, or it is another key's.
    public typealias UnknownConversation = Components.Shared.XRequestIdJsonErrorResponse
}
