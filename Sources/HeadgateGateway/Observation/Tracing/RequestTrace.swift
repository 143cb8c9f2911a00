internal import HTTPTypes
internal import HeadgateContract
internal import HeadgateHTTP
internal import HeadgateRelay

/// The trace of one request while it is under way. Loop-confined.
package final class RequestTrace {
    /// What of a request only its span needs.
    struct Facts {
        let path: String
        let scheme: String
        let userAgent: String?

        init(_ request: RequestHead, _ connection: ConnectionEnds) {
            // Some clients put a key into the query.
            path = request.withPath { path in
                String(decoding: path.prefix(1024).prefix { $0 != UInt8(ascii: "?") }, as: UTF8.self)
            }
            scheme = connection.local.carrier == .tls ? "https" : "http"
            userAgent = request.fields.value(named: .userAgent).map { String($0.prefix(256)) }
        }
    }

    /// Of the request's own span.
    let context: TraceContext
    private let parent: SpanID?
    /// What makes an instant of the monotonic clock one since 1970, in nanoseconds.
    private let clockOffset: Int64
    private let facts: Facts?
    /// When the request went down the chain towards its targets.
    var relayedAt: UInt64?
    private var events: [SpanEvent] = []
    private var attempts: [EndedAttempt] = []
    /// Attempts that have begun, and those of them that are under way.
    private(set) var begun = 0
    private var open = 0
    /// How the request ended; nil until then.
    private(set) var end: RequestEnd?

    init(_ context: TraceContext, parent: SpanID?, clockOffset: Int64, _ facts: Facts?) {
        self.context = context
        self.parent = parent
        self.clockOffset = clockOffset
        self.facts = facts
    }

    /// Of a request whose outcome was told before this attempt for others began.
    static func over(_ context: TraceContext, clockOffset: Int64) -> RequestTrace {
        let trace = RequestTrace(context, parent: nil, clockOffset: clockOffset, nil)
        trace.end = .clientGone
        return trace
    }

    /// Nanoseconds since 1970.
    func time(_ instant: UInt64) -> Int64 { Int64(clamping: instant) + clockOffset }

    // MARK: Attempts

    /// - Returns: how many there were before.
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

    /// - Returns: false when the outcome was told before, so that nobody waits for the attempt.
    func endAttempt(_ attempt: EndedAttempt) -> Bool {
        open -= 1
        guard end == nil else { return false }
        attempts.append(attempt)
        return true
    }

    // MARK: The end

    /// The span of the request, and those of the attempts that are over.
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

    /// The one whose answer the client got; of several with a response, the one that was read to its end.
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
            // A refused request, or a client that left, is no error of the server.
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
    /// Whether the gateway, or what is behind it, has failed.
    var isServersFault: Bool { status >= 500 || end == .upstreamFailed || end == .timedOut }
}
