package import HeadgateHTTP

/// Facts about one request and how it ended. The access log, metrics and usage all read this one value.
///
/// Contains no secret and no content, only names from the configuration, counts and times.
package struct Outcome: Sendable {
    package typealias End = RequestEnd

    /// Start of the request, in monotonic nanoseconds like the other instants here.
    package let startedAt: UInt64
    package var firstContentAt: UInt64?
    // Flags follow optional numbers to fill their padding, because every request holds this value as long as it runs.
    /// Whether the operation is polled, as health checks are, or is an asset of a page.
    package var isPolled = false
    package var endedAt: UInt64 = 0

    package var requestID = ""
    package var method = ""
    /// Operation id of the route, or a fixed word if none matched: bounded, fit for a label.
    package var operation = "unmatched"
    package var remoteAddress = ""
    package var status = 0
    /// Name of the client key, as configured.
    package var keyName: String?
    /// Public name of the model; set only once the model is known to be configured.
    package var model: String?
    package var upstream: String?
    package var upstreamStatus: Int?
    package var isStream = false
    /// Whether the request was only explained: the response describes how the gateway would handle it.
    package var isExplanation = false
    /// Attempts in order, if the model has several targets, retries or limits; empty otherwise.
    package var attempts: [AttemptSummary] = []
    package var bytesReceived = 0
    package var bytesSent = 0
    /// Largest number of queued bytes that the client had not read.
    package var maximumQueuedBytes = 0
    package var events = 0
    /// Bytes of text, reasoning and tool calls that the stream has delivered so far.
    package var writtenBytes = 0
    package var promptTokens: Int?
    package var completionTokens: Int?
    /// Whether the upstream, or the path to it, caused the failure.
    package var isUpstreamsFault = false
    /// Whether the upstream's connection broke after the response was complete.
    package var isUncleanEnd = false
    /// End, if it was decided before the last byte was written.
    package var decidedEnd: End?
    package var end = End.finished
    package var finishReason: String?
    /// Short code for the failure, such as `upstream_timeout`; an upstream's own code if it sent one.
    package var errorCode: String?
    package var notes = OutcomeNotes.none

    init(startedAt: UInt64) { self.startedAt = startedAt }

    package enum Note {
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
        /// Refusals after which the request was sent again: ``Repairs/text``.
        case repairs
        /// Span of the request, in the format of `traceparent`.
        case trace
        /// State of other systems in the trace, in the format of `tracestate`.
        case traceState
        /// Number of the request among those whose content is stored.
        case inspection
        /// Path of a request that matched no route: without its query and anything that looks like a secret.
        case path
    }

    /// Escaped name of an unknown model. For people, never a label: a client chose it.
    package var requestedModel: String? {
        @inlinable get { notes[.requestedModel] }
        set { notes[.requestedModel] = newValue }
    }

    /// Label of ``errorCode`` in metrics, because the code itself can be an upstream's own. Set it after ``errorCode``.
    package var errorLabel: String? {
        get { notes[.errorLabel] ?? errorCode }
        set { notes[.errorLabel] = newValue == errorCode ? nil : newValue }
    }

    /// Detail of ``errorCode`` from the system or the codec. Contains neither secrets nor content.
    package var errorDetail: String? {
        get { notes[.errorDetail] }
        set { notes[.errorDetail] = newValue }
    }

    /// Seconds from the request's head to the first content.
    @inlinable package var timeToFirstContent: Double? { firstContentAt.map { Double($0 - startedAt) / 1e9 } }
    /// Seconds from the request's head to its end; 0 before the end.
    @inlinable package var duration: Double { Double(max(endedAt, startedAt) - startedAt) / 1e9 }
}

/// Receives every request's outcome once. Called on every loop; must not block.
package protocol OutcomeObserver: Sendable {
    /// - Parameter outcome: passed by reference, because copying it costs more than reading it. Must not be changed.
    func observe(_ outcome: inout Outcome)
}

/// An ``OutcomeObserver`` as a function, since iterating over a list of observers would copy each of them.
package typealias OutcomeFunction = @Sendable (inout Outcome) -> Void

extension OutcomeObserver {
    package var function: OutcomeFunction { { observe(&$0) } }
}

/// One of several attempts to get a request's response.
package struct AttemptSummary: Sendable {
    /// Result of an attempt with a response.
    package static let ok = "ok"

    package let upstream: String
    /// The upstream's name for the model; nil for the public name.
    package let model: String?
    /// Number of the upstream's key that the attempt used, from 1; nil if the upstream has only one.
    package let key: Int?
    /// Code of its failure; nil for the attempt that has a response.
    package let error: String?
    /// Further detail of its failure, for the log.
    package var detail: String?
    /// Label of its failure in metrics, or `ok`; nil if nothing was sent.
    package let result: String?
    /// Nanoseconds until the failure, or until the response could be relayed.
    package let duration: UInt64
}
