internal import HTTPTypes
internal import HeadgateContract
internal import HeadgateHTTP
internal import HeadgateRelay

/// The trace of one request in progress. Loop-confined.
package final class RequestTrace {
    /// Facts about a request that only its span needs.
    struct Facts {
        let path: String
        let scheme: String
        let userAgent: String?

        init(_ request: RequestHead, _ connection: ConnectionEnds) {
            // Leaves out the query, because some clients put a key there.
            path = request.withPath { path in
                String(decoding: path.prefix(1024).prefix { $0 != UInt8(ascii: "?") }, as: UTF8.self)
            }
            scheme = connection.local.carrier == .tls ? "https" : "http"
            userAgent = request.fields.value(named: .userAgent).map { String($0.prefix(256)) }
        }
    }

    /// Context of the request's own span.
    let context: TraceContext
    private let parent: SpanID?
    /// Nanoseconds to add to a monotonic instant to get the time since 1970.
    private let clockOffset: Int64
    private let facts: Facts?
    /// Monotonic instant when the request was passed on towards its targets.
    var relayedAt: UInt64?
    private var events: [SpanEvent] = []
    private var attempts: [EndedAttempt] = []
    /// Number of attempts that have begun.
    private(set) var begun = 0
    /// Number of attempts in progress.
    private var open = 0
    /// End of the request; nil until then.
    private(set) var end: RequestEnd?

    init(_ context: TraceContext, parent: SpanID?, clockOffset: Int64, _ facts: Facts?) {
        self.context = context
        self.parent = parent
        self.clockOffset = clockOffset
        self.facts = facts
    }

    /// Returns the trace for an attempt that serves other requests, after the outcome of its own request was reported.
    static func over(_ context: TraceContext, clockOffset: Int64) -> RequestTrace {
        let trace = RequestTrace(context, parent: nil, clockOffset: clockOffset, nil)
        trace.end = .clientGone
        return trace
    }

    /// Converts a monotonic instant to nanoseconds since 1970.
    func time(_ instant: UInt64) -> Int64 { Int64(clamping: instant) + clockOffset }

    // MARK: Attempts

    /// Notes the start of an attempt; after the first attempt, as a retry or a hedge.
    ///
    /// - Returns: number of earlier attempts.
    func beginAttempt(at instant: UInt64, upstream: String) -> Int {
        if begun > 0 {
            let name = open > 0 ? TraceAttribute.hedgeEvent : TraceAttribute.retry
            let attributes = [SpanAttribute(name: TraceAttribute.upstream, value: .text(upstream))]
            events.append(SpanEvent(name: name, time: time(instant), attributes: attributes))
        }
        begun += 1
        open += 1
        return begun - 1
    }

    /// Notes the end of an attempt.
    ///
    /// - Returns: false if the outcome was reported before, so that the attempt's span must be recorded on its own.
    func endAttempt(_ attempt: EndedAttempt) -> Bool {
        open -= 1
        guard end == nil else { return false }
        attempts.append(attempt)
        return true
    }

    // MARK: The end

    /// Ends the trace, and returns the span of the request and those of the finished attempts.
    func spans(of outcome: inout Outcome) -> [Span] {
        end = outcome.end
        var summaries = outcome.attempts.filter { $0.result != nil }
        let answering = answeringAttempt(outcome.upstream)
        var spans = [span(of: &outcome)]
        for (index, attempt) in attempts.enumerated() {
            let place = summaries.firstIndex { summary in
                summary.upstream == attempt.upstream && summary.isOfResponse == (index == answering)
            }
            let summary = place.map { summaries.remove(at: $0) }
            var attempt = attempt
            attempt.settle(summary, &outcome, isAnswering: index == answering, isOnly: attempts.count == 1)
            spans.append(attempt.span)
        }
        attempts = []
        return spans
    }

    /// Returns the index of the attempt whose response the client got. If several have a response, this is the one that
    /// was read to its end.
    private func answeringAttempt(_ upstream: String?) -> Int? {
        let candidates = attempts.indices.filter { attempts[$0].upstream == upstream && attempts[$0].hasResponse }
        return candidates.last { attempts[$0].ending == .complete } ?? candidates.last
    }

    private func span(of outcome: inout Outcome) -> Span {
        let path = OperationTable.all.first { $0.id == outcome.operation }?.paths.first
        let name = path.map { "\(outcome.method) \($0)" } ?? outcome.method
        var span = Span(name, .server, context, parent: parent, start: time(outcome.startedAt))
        span.isParentRemote = parent != nil
        span.end = time(outcome.endedAt)
        span.set(TraceAttribute.requestMethod, outcome.method)
        span.set(TraceAttribute.route, path)
        span.set(TraceAttribute.path, facts?.path)
        span.set(TraceAttribute.scheme, facts?.scheme)
        span.set(TraceAttribute.responseStatus, outcome.status == 0 ? nil : outcome.status)
        span.set(TraceAttribute.clientAddress, outcome.remoteAddress)
        span.set(TraceAttribute.userAgent, facts?.userAgent)
        span.set(TraceAttribute.requestID, outcome.requestID)
        span.set(TraceAttribute.keyName, outcome.keyName)
        span.set(TraceAttribute.outcome, outcome.end.rawValue)
        span.set(TraceAttribute.model, outcome.model)
        span.set(TraceAttribute.upstream, outcome.upstream)
        span.set(TraceAttribute.attempts, begun > 0 ? begun : nil)
        span.set(TraceAttribute.cache, outcome.notes[.cache])
        let cost = outcome.notes.cost?.text.flatMap(Double.init)
        span.set(TraceAttribute.cost, cost.map(SpanAttribute.Value.fraction))
        span.set(TraceAttribute.hedge, outcome.notes[.hedge])
        span.set(TraceAttribute.afterDisconnect, outcome.notes[.afterDisconnect])
        if outcome.errorLabel != nil || outcome.end != .finished {
            let error = outcome.errorLabel ?? outcome.end.rawValue
            span.set(TraceAttribute.errorType, error)
            // A refused request or a client that disconnected is not a server error.
            if outcome.isServersFault { span.error = error }
        }
        span.events = events(of: &outcome)
        return span
    }

    private func events(of outcome: inout Outcome) -> [SpanEvent] {
        var all = events
        let relayed = time(relayedAt ?? outcome.startedAt)
        if let cache = outcome.notes[.cache] {
            let result = SpanAttribute(name: TraceAttribute.cache, value: .text(cache))
            all.append(SpanEvent(name: TraceAttribute.cacheEvent, time: relayed, attributes: [result]))
        }
        if let fault = outcome.notes[.injectedFault] {
            let text = SpanAttribute(name: TraceAttribute.fault, value: .text(fault))
            all.append(SpanEvent(name: TraceAttribute.faultInjected, time: relayed, attributes: [text]))
        }
        if let first = outcome.firstContentAt {
            all.append(SpanEvent(name: TraceAttribute.firstContent, time: time(first)))
        }
        return all.sorted { $0.time < $1.time }
    }
}

extension AttemptSummary {
    fileprivate var isOfResponse: Bool { result == AttemptSummary.ok }
}

extension Outcome {
    /// Whether the gateway or an upstream failed.
    var isServersFault: Bool { status >= 500 || end == .upstreamFailed || end == .timedOut }
}
