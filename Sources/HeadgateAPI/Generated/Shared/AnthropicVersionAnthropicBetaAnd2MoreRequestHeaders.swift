// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Shared {
    /// Headers of several messages.
    public struct AnthropicVersionAnthropicBetaAnd2MoreRequestHeaders: Hashable, Sendable {
        /// The version of Anthropic's API, passed on as it is.
        public var anthropicVersion: String?
        /// Names of beta features, passed on as they are.
        public var anthropicBeta: String?
        /// `1` asks what would happen to this very request, which is not sent: the answer is an explanation. It needs a
        /// key with
        /// `admin: true`, or to be the only caller of the gateway.
        public var xHeadgateExplain: String?
        /// What is to go wrong with this request, for tests. It means something only where the configuration says
        /// `fault_injection: {enabled: true}`, and there needs a key with `admin: true`, or to be the only caller of
        /// the gateway.
        public var xHeadgateFault: String?

        public init(
            anthropicVersion: String? = nil,
            anthropicBeta: String? = nil,
            xHeadgateExplain: String? = nil,
            xHeadgateFault: String? = nil
        ) {
            self.anthropicVersion = anthropicVersion
            self.anthropicBeta = anthropicBeta
            self.xHeadgateExplain = xHeadgateExplain
            self.xHeadgateFault = xHeadgateFault
        }

        func encode(into request: inout OutgoingRequest) {
            request.header(HeaderNames.anthropicVersion, self.anthropicVersion)
            request.header(HeaderNames.anthropicBeta, self.anthropicBeta)
            request.header(HeaderNames.xHeadgateExplain, self.xHeadgateExplain)
            request.header(HeaderNames.xHeadgateFault, self.xHeadgateFault)
        }

        init(decoding request: IncomingRequest) throws {
            self.init(
                anthropicVersion: try request.header(HeaderNames.anthropicVersion),
                anthropicBeta: try request.header(HeaderNames.anthropicBeta),
                xHeadgateExplain: try request.header(HeaderNames.xHeadgateExplain),
                xHeadgateFault: try request.header(HeaderNames.xHeadgateFault))
        }
    }
}
