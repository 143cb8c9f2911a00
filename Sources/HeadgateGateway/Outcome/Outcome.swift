internal import HeadgateHTTP

/// How one request ended, and what it was. The access log, metrics and usage all read this one value.
///
/// Holds no secret and no content, only names from the configuration, counts and times.
struct Outcome: Sendable {
    typealias End = RequestEnd

    /// Monotonic nanoseconds, like the other instants here.
    let startedAt: UInt64
    var firstContentAt: UInt64?
    // Flags stand behind optional numbers: a request holds this as long as it runs, and they fill what would be empty.
    /// Whether the operation is polled, as health checks are, or comes with a page.
    var isPolled = false
    var endedAt: UInt64 = 0

    var requestID = ""
    var method = ""
    /// The operation id of the route, or a fixed word for what matched none: bounded, fit for a label.
    var operation = "unmatched"
    var remoteAddress = ""
    var status = 0
    /// The name of the client key, as configured.
    var keyName: String?
    /// The model as the client knows it; only set once it is known to be configured.
    var model: String?
    var upstream: String?
    var upstreamStatus: Int?
    var isStream = false
    /// Whether it was only told what would happen to it.
    var isExplanation = false
    /// In their order, where the model has several targets, retries or limits; empty elsewhere.
    var attempts: [AttemptSummary] = []
    var bytesReceived = 0
    var bytesSent = 0
    /// The largest queue of bytes that the client had not read.
    var maximumQueuedBytes = 0
    var events = 0
    /// Bytes of text, reasoning and tool calls that a stream has brought so far.
    var writtenBytes = 0
    var promptTokens: Int?
    var completionTokens: Int?
    /// Whether the upstream, or the way to it, is to blame for what went wrong.
    var isUpstreamsFault = false
    /// The upstream's connection broke after the response was complete.
    var isUncleanEnd = false
    /// The end, where it was decided before the last byte was written.
    var decidedEnd: End?
    var end = End.finished
    var finishReason: String?
    /// A short code for what went wrong, such as `upstream_timeout`; one that an upstream has sent is its own.
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
        /// What became of the answer after its client had left.
        case afterDisconnect
        /// The id of the conversation that the gateway keeps and the request is a part of, where it is traced.
        case conversation
        /// A ``HedgeOutcome``.
        case hedge
        /// After which refusals it was sent again: ``Repairs/text``.
        case repairs
        /// Of the request's own span, as `traceparent` has it.
        case trace
        /// What others keep in the trace.
        case traceState
        /// Of a request that matched no route: without its query, and without what looks like a secret.
        case path
    }

    /// The escaped name of an unknown model. For people, never a label: a client chose it.
    var requestedModel: String? {
        get { notes[.requestedModel] }
        set { notes[.requestedModel] = newValue }
    }

    /// What metrics call ``errorCode``, which may be an upstream's own. Set after it.
    var errorLabel: String? {
        get { notes[.errorLabel] ?? errorCode }
        set { notes[.errorLabel] = newValue == errorCode ? nil : newValue }
    }

    /// What the system or the codec said about ``errorCode``. Neither secret nor content.
    var errorDetail: String? {
        get { notes[.errorDetail] }
        set { notes[.errorDetail] = newValue }
    }

    /// Seconds from the request's head to the first content.
    var timeToFirstContent: Double? { firstContentAt.map { Double($0 - startedAt) / 1e9 } }
    /// Seconds; 0 before the end.
    var duration: Double { Double(max(endedAt, startedAt) - startedAt) / 1e9 }
}
