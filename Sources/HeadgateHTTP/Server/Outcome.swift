/// How one request ended, and what it was. The access log, metrics and usage all read this one value.
///
/// Holds no secret and no content, only names from the configuration, counts and times.
package struct Outcome: Sendable {
    package enum End: String, Sendable {
        case finished
        case clientGone = "client_gone"
        case upstreamFailed = "upstream_failed"
        case timedOut = "timed_out"
        case refused
        case drained
    }

    /// Monotonic nanoseconds, like the other instants here.
    package let startedAt: UInt64
    package var firstContentAt: UInt64?
    package var endedAt: UInt64 = 0

    package var requestID = ""
    package var method = ""
    /// The operation id of the route, or a fixed word for what matched none: bounded, fit for a label.
    package var operation = "unmatched"
    /// Whether the operation is polled, as health checks are.
    package var isPolled = false
    package var remoteAddress = ""
    package var status = 0
    /// The name of the client key, as configured.
    package var keyName: String?
    /// The model as the client knows it; only set once it is known to be configured.
    package var model: String?
    /// The escaped name of an unknown model. For people, never a label: a client chose it.
    package var requestedModel: String?
    package var upstream: String?
    package var upstreamStatus: Int?
    package var isStream = false
    package var bytesReceived = 0
    package var bytesSent = 0
    /// The largest queue of bytes that the client had not read.
    package var maximumQueuedBytes = 0
    package var events = 0
    package var promptTokens: Int?
    package var completionTokens: Int?
    package var finishReason: String?
    /// A bounded code for what went wrong, such as `upstream_timeout`.
    package var errorCode: String?
    /// What the system or the codec said about it. Neither secret nor content.
    package var errorDetail: String?
    /// Whether the upstream, or the way to it, is to blame for what went wrong.
    package var isUpstreamsFault = false
    /// The upstream's connection broke after the response was complete.
    package var isUncleanEnd = false
    /// The end, where it was decided before the last byte was written.
    package var decidedEnd: End?
    package var end = End.finished

    package init(startedAt: UInt64) { self.startedAt = startedAt }

    /// Seconds from the request's head to the first content.
    package var timeToFirstContent: Double? { firstContentAt.map { Double($0 - startedAt) / 1e9 } }
    /// Seconds; 0 before the end.
    package var duration: Double { Double(max(endedAt, startedAt) - startedAt) / 1e9 }
}
