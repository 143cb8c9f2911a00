// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Shared {
    /// Headers of several messages.
    public struct AnthropicVersionRequestHeaders: Hashable, Sendable {
        /// The version of Anthropic's API, passed on as it is.
        public var anthropicVersion: String?

        public init(anthropicVersion: String? = nil) {
            self.anthropicVersion = anthropicVersion
        }

        func encode(into request: inout OutgoingRequest) {
            request.header(HeaderNames.anthropicVersion, self.anthropicVersion)
        }

        init(decoding request: IncomingRequest) throws {
            self.init(anthropicVersion: try request.header(HeaderNames.anthropicVersion))
        }
    }
}
