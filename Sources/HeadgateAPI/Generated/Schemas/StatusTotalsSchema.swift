// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Schemas {
    /// Since the start. Requests by how they ended, and tokens as upstreams counted them.
    package struct StatusTotals: Codable, Hashable, Sendable {
        package var finished: Int
        package var clientGone: Int
        package var upstreamFailed: Int
        package var timedOut: Int
        package var refused: Int
        package var drained: Int
        package var promptTokens: Int
        package var completionTokens: Int

        package init(
            finished: Int,
            clientGone: Int,
            upstreamFailed: Int,
            timedOut: Int,
            refused: Int,
            drained: Int,
            promptTokens: Int,
            completionTokens: Int
        ) {
            self.finished = finished
            self.clientGone = clientGone
            self.upstreamFailed = upstreamFailed
            self.timedOut = timedOut
            self.refused = refused
            self.drained = drained
            self.promptTokens = promptTokens
            self.completionTokens = completionTokens
        }

        private enum CodingKeys: String, CodingKey {
            case finished
            case clientGone = "client_gone"
            case upstreamFailed = "upstream_failed"
            case timedOut = "timed_out"
            case refused
            case drained
            case promptTokens = "prompt_tokens"
            case completionTokens = "completion_tokens"
        }
    }
}
