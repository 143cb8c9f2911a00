internal import HTTPTypes
internal import HeadgateEventLoop
internal import HeadgateHTTP

/// One request and its response on a connection. Loop-confined.
///
/// It is also the source of the request's body and the sink of the response's body. Nothing of the request's body is
/// read from the client until a handler starts the source.
final class HTTPExchange: ServerRequestMetadata {
    /// Head of the request; nil once a stream begins, which can take long and does not need the head.
    var head: RequestHead?
    let isHead: Bool
    /// Connection of the exchange, which releases the exchange when it is over.
    let owner: HTTPConnection

    /// The request body, while it is being read in pieces.
    var incoming: IncomingBody?
    /// Whether the request's last byte was read from the connection.
    var isRequestComplete: Bool

    /// Head of the response; nil before the response begins.
    var response: ServerResponseHead?
    /// Source of the response's body, while it is active.
    var responseSource: (any BodySource)?
    var isResponseChunked = false
    var isResponseComplete = false
    var flow = ResponseFlow()
    /// Bytes of the request's body.
    var bytesReceived = 0
    /// Bytes of the response's body.
    var bytesSent = 0
    /// Whether the connection ends after this response.
    var closes: Bool
    /// Ignored, because the connection enforces a deadline of the body. It counts from the body's beginning, or from
    /// the last content that its reader noted.
    var bytesAreProgress = true

    init(head: RequestHead, of owner: HTTPConnection, context: any RequestContext) {
        self.head = head
        isHead = head.method == .head
        self.owner = owner
        closes = head.closes
        isRequestComplete = if case .fixed(0) = head.bodyLength { true } else { false }
        super.init(connection: owner.ends, bodyLength: head.bodyLength, context: context)
    }

    override func rememberHead(_ digest: (UInt64, UInt64, UInt64, UInt64)) {
        if let head { owner.remember(head, digest) }
    }

    override func run(_ operation: @escaping () async -> Void) {
        let loop = owner.loop
        // Confined to the loop that the task prefers. A `LoopBound` would wrap the function twice.
        nonisolated(unsafe) let operation = operation
        work = TaskWork(
            Task(executorPreference: loop) {
                loop.checkIsolated()
                await operation()
            })
    }

    override func after(_ delay: Duration, _ action: @escaping () -> Void) -> (any Cancellable)? {
        let timer = LoopTimer(loop: owner.loop, action: action)
        timer.schedule(after: delay)
        return timer
    }

    override func waker(_ action: @escaping () -> Void) -> @Sendable () -> Void {
        let asleep = LoopBound(Recipient<Void>(action), on: owner.loop)
        return { asleep.loop.execute { asleep.value.receive(()) } }
    }

    override func receiver<Value: Sendable>(_ action: @escaping (Value) -> Void) -> @Sendable (Value) -> Void {
        let waiting = LoopBound(Recipient(action), on: owner.loop)
        return { value in waiting.loop.execute { waiting.value.receive(value) } }
    }

    override func aside<Value: Sendable>(
        _ work: @escaping @Sendable () -> Value, completion: @escaping (Value?) -> Void
    ) -> (any Cancellable)? {
        owner.loop.aside(work, completion: completion)
    }

    /// Completes the context. An earlier end takes precedence.
    func complete(_ end: RequestEnd) {
        context.complete(
            end, bytesReceived: bytesReceived, bytesSent: bytesSent, maximumQueuedBytes: flow.mostQueued)
    }

    /// Cancels all work for this exchange. The end that the context knows does not change.
    func cancelWork() {
        let work = work
        self.work = nil
        work?.cancel()
        let source = responseSource
        responseSource = nil
        source?.cancel()
        let sink = incoming?.sink
        incoming = nil
        sink?.fail(HTTPSyntaxError.incompleteBody)
    }
}

/// A request's body that arrives in pieces, on its way to its reader.
final class IncomingBody {
    var decoder: BodyDecoder
    let sink: any BodySink
    var pace: BodyPace

    init(_ decoder: BodyDecoder, to sink: any BodySink, since now: UInt64) {
        self.decoder = decoder
        self.sink = sink
        pace = BodyPace(startingAt: now)
    }
}

/// Recipient of one value. It is released on its own loop, whichever thread releases the last reference.
private final class Recipient<Value> {
    private var action: ((Value) -> Void)?

    init(_ action: @escaping (Value) -> Void) { self.action = action }

    func receive(_ value: Value) {
        action.take()?(value)
    }
}

extension SideWork: Cancellable {}
extension LoopTimer: Cancellable {}

/// Sink of the response's body, while the connection still serves this exchange.
extension HTTPExchange: BodySink {
    func receive(_ chunk: UnsafeRawBufferPointer) {
        owner.writeBody(about: chunk.count, of: self) { $0.append(contentsOf: chunk) }
    }
    func receive(about count: Int, writing write: (inout [UInt8]) -> Void) {
        owner.writeBody(about: count, of: self, write)
    }
    func finish(_ end: BodyEnd) { owner.finishBody(end, of: self) }
    func fail(_: any Error) { owner.breakBody(of: self) }
}

extension HTTPExchange: BodySource {
    var declaredLength: Int? { if case .fixed(let length) = bodyLength { length } else { nil } }

    func takeWhole() -> [UInt8]? { owner.takeWholeBody(of: self) }

    func start(_ sink: any BodySink) { owner.startBody(of: self, sink: sink) }

    func pause() { owner.pauseBody(of: self) }
    func resume() { owner.resumeBody(of: self) }
    func cancel() { incoming = nil }
    func discardRest() { cancel() }
    func note(_ progress: BodyProgress) {
        if case .content = progress { incoming?.pace = BodyPace(startingAt: owner.loop.now) }
    }
}
