internal import HTTPTypes
internal import HeadgateHTTP
internal import HeadgateRelay

/// A traced attempt at an upstream, from its request to the end of its response. Loop-confined.
final class TracedAttempt {
    private let trace: RequestTrace
    private let tracing: Tracing
    private let metadata: ServerRequestMetadata
    private let upstream: String
    /// Monotonic nanoseconds.
    private let startedAt: UInt64
    /// Faults injected before this attempt.
    private let faults: String?
    private var span: Span
    private var status: Int?
    private var identity = ResponseIdentity()
    private var content: TracedContent?
    private var isOver = false

    init(
        _ context: TraceContext, of trace: RequestTrace, _ request: UpstreamRequest, to url: BaseURL,
        _ tracing: Tracing, provider: String, _ metadata: ServerRequestMetadata
    ) {
        self.trace = trace
        self.tracing = tracing
        self.metadata = metadata
        let facts = metadata.record.facts
        upstream = facts.upstream ?? ""
        faults = facts.notes[.injectedFault]
        startedAt = metadata.record.now
        let earlier = trace.beginAttempt(at: startedAt, upstream: upstream)
        let asked = RequestParameters(request.body, operationID: request.operationID)
        let operation = GenAIOperation.name(of: request.operationID)
        let model = asked.model ?? facts.model
        span = Span(
            model.map { "\(operation) \($0)" } ?? operation, .client, context, parent: trace.context.spanID,
            start: trace.time(startedAt))
        span.set(TraceAttribute.operation, operation)
        span.set(TraceAttribute.provider, provider)
        span.set(TraceAttribute.requestModel, model)
        if facts.isStream { span.set(TraceAttribute.requestStream, .flag(true)) }
        span.attributes += asked.attributes
        // If the gateway stores the conversation itself, the upstream's request does not name it.
        if !asked.attributes.contains(where: { $0.name == TraceAttribute.conversation }) {
            span.set(TraceAttribute.conversation, facts.notes[.conversation])
        }
        span.set(TraceAttribute.requestMethod, request.head.request.method.rawValue)
        span.set(TraceAttribute.resendCount, earlier > 0 ? earlier : nil)
        span.set(TraceAttribute.upstream, upstream)
        switch url.endpoint {
        case .tcp(let host, let port), .tls(let host, let port):
            span.set(TraceAttribute.serverAddress, host)
            span.set(TraceAttribute.serverPort, Int(port))
        case .unix(let path): span.set(TraceAttribute.serverAddress, path)
        }
        if tracing.hasContent {
            content = TracedContent(of: request)
            span.set(TraceAttribute.inputMessages, content?.input)
        }
    }

    /// Notes the upstream's response and returns it, with a body that reports its end.
    func receive(_ result: Result<UpstreamResponse, TransportError>) -> Result<UpstreamResponse, TransportError> {
        switch result {
        case .failure(let error): end(error)
        case .success(var response):
            status = response.head.status
            switch response.body {
            case nil: end(.complete)
            case .bytes(let bytes):
                bytes.withUnsafeBytes(read)
                end(.complete)
            case .stream(let source): response.body = .stream(TracedBody(source, self))
            }
            return .success(response)
        }
        return result
    }

    fileprivate func read(_ chunk: UnsafeRawBufferPointer) {
        identity.read(chunk)
        content?.read(chunk)
    }

    fileprivate func end(_ error: any Error) {
        let error = TransportError(anyOf: error)
        guard error.kind != .cancelled else { return end(.cancelled) }
        end(.failed(GatewayError.transport(error, upstream: upstream).label))
    }

    /// Ends the attempt. Later calls do nothing.
    fileprivate func end(_ ending: EndedAttempt.Ending) {
        guard !isOver else { return }
        isOver = true
        let record = metadata.record
        span.end = trace.time(record.now)
        span.set(TraceAttribute.responseStatus, status)
        span.set(TraceAttribute.responseModel, identity.model)
        span.set(TraceAttribute.responseID, identity.id)
        if let first = record.facts.firstContentAt, first >= startedAt {
            span.events.append(SpanEvent(name: TraceAttribute.firstContent, time: trace.time(first)))
            if record.facts.isStream {
                span.set(TraceAttribute.timeToFirstChunk, .fraction(Double(first - startedAt) / 1e9))
            }
        }
        noteFault(record.facts.notes[.injectedFault])
        if let output = content?.output { span.set(TraceAttribute.outputMessages, output) }
        var attempt = EndedAttempt(
            span: span, upstream: upstream, ending: status.map { $0 >= 400 ? .status($0) : ending } ?? ending,
            hasResponse: status.map { $0 < 400 } ?? false)
        guard !trace.endAttempt(attempt) else { return }
        // The outcome was already reported: the client disconnected, or the attempt continues for other readers.
        var facts = record.facts
        record.transform?.note(in: &facts)
        attempt.settle(nil, &facts, isAnswering: attempt.hasResponse, isOnly: true)
        tracing.recording.record([attempt.span])
    }

    private func noteFault(_ text: String?) {
        guard let text, text != faults else { return }
        let fault = faults.map { String(text.dropFirst($0.count + 2)) } ?? text
        span.set(TraceAttribute.fault, fault)
        let attribute = SpanAttribute(name: TraceAttribute.fault, value: .text(fault))
        span.events.insert(
            SpanEvent(name: TraceAttribute.faultInjected, time: span.start, attributes: [attribute]), at: 0)
    }
}

/// A body whose end is also the end of an attempt.
private final class TracedBody: BodyStage {
    private let attempt: TracedAttempt

    init(_ source: any BodySource, _ attempt: TracedAttempt) {
        self.attempt = attempt
        super.init(source)
    }

    override func receive(_ chunk: UnsafeRawBufferPointer) {
        attempt.read(chunk)
        pass(chunk)
    }

    // These methods call `super` first: the reader of the body notes its findings before the attempt ends.

    override func finish(_ end: BodyEnd) {
        super.finish(end)
        attempt.end(.complete)
    }

    override func fail(_ error: any Error) {
        super.fail(error)
        attempt.end(error)
    }

    override func discardRest() {
        super.discardRest()
        attempt.end(.complete)
    }

    override func cancel() {
        super.cancel()
        attempt.end(.cancelled)
    }
}
