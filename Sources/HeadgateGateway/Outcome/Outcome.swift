internal import HeadgateHTTP

/// Facts about one request and how it ended. The access log, metrics and usage all read this one value.
///
/// Contains no secret and no content, only names from the configuration, counts and times.
struct Outcome: Sendable {
    typealias End = RequestEnd

    /// Monotonic nanoseconds, like the other instants here.
    let startedAt: UInt64
    var firstContentAt: UInt64?
    // Flags follow optional numbers, whose padding they fill: a request holds this as long as it runs.
    /// Whether the operation is polled, as health checks are, or is an asset of a page.
    var isPolled = false
    var endedAt: UInt64 = 0

    var requestID = ""
    var method = ""
    /// Operation id of the route, or a fixed word if none matched: bounded, fit for a label.
    var operation = "unmatched"
    var remoteAddress = ""
    var status = 0
    /// Name of the client key, as configured.
    var keyName: String?
    /// Model as the client knows it; set only once it is known to be configured.
    var model: String?
    var upstream: String?
    var upstreamStatus: Int?
    var isStream = false
    /// Whether the request was only explained: the response says what would happen to it.
    var isExplanation = false
    /// Attempts in order, if the model has several targets, retries or limits; empty otherwise.
    var attempts: [AttemptSummary] = []
    var bytesReceived = 0
    var bytesSent = 0
    /// Largest number of queued bytes that the client had not read.
    var maximumQueuedBytes = 0
    var events = 0
    /// Bytes of text, reasoning and tool calls that a stream has brought so far.
    var writtenBytes = 0
    var promptTokens: Int?
    var completionTokens: Int?
    /// Whether the upstream, or the way to it, is to blame for what went wrong.
    var isUpstreamsFault = false
    /// Whether the upstream's connection broke after the response was complete.
    var isUncleanEnd = false
    /// End, if it was decided before the last byte was written.
    var decidedEnd: End?
    var end = End.finished
    var finishReason: String?
    /// Short code for the failure, such as `upstream_timeout`; an upstream's own code if it sent one.
    var errorCode: String?
    var notes = OutcomeNotes.none

    init(startedAt: UInt64) { self.startedAt = startedAt }

    enum Note {
        case requestedModel
        case errorDetail
        case errorLabel
        case requestedFault
        case injectedFault
        case cache
        /// The ``LimitMeasure`` that refused the request, or `in_flight`.
        case limit
        /// State of the response after its client had disconnected.
        case afterDisconnect
        /// Id of the gateway's own conversation that the request is a part of, if it is traced.
        case conversation
        /// A ``HedgeOutcome``.
        case hedge
        /// Refusals after which it was sent again: ``Repairs/text``.
        case repairs
        /// Span of the request, as `traceparent` has it.
        case trace
        /// State that other systems have in the trace.
        case traceState
        /// Path of a request that matched no route: without its query and anything that looks like a secret.
        case path
    }

    /// Escaped name of an unknown model. For people, never a label: a client chose it.
    var requestedModel: String? {
        get { notes[.requestedModel] }
        set { notes[.requestedModel] = newValue }
    }

    /// Label of ``errorCode`` in metrics; the code itself can be an upstream's own. Set after it.
    var errorLabel: String? {
        get { notes[.errorLabel] ?? errorCode }
        set { notes[.errorLabel] = newValue == errorCode ? nil : newValue }
    }

    /// Detail of ``errorCode`` from the system or the codec. Contains neither secrets nor content.
    var errorDetail: String? {
        get { notes[.errorDetail] }
        set { notes[.errorDetail] = newValue }
    }

    /// Seconds from the request's head to the first content.
    var timeToFirstContent: Double? { firstContentAt.map { Double($0 - startedAt) / 1e9 } }
    /// Seconds; 0 before the end.
    var duration: Double { Double(max(endedAt, startedAt) - startedAt) / 1e9 }
}
