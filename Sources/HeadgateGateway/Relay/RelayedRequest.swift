internal import HTTPTypes
internal import HeadgateHTTP

/// One request on its way to an upstream and back: its body is read, its model finds the upstream, the answer begins.
///
/// Loop-confined. Each step is called back by the one before it; the completion ends it, once. A request that waits is this object
/// and no task: a task switch costs more than all of the gateway's own work on a step.
final class RelayedRequest: Cancellable {
    private let request: RequestHead
    private let metadata: ServerRequestMetadata
    private let handler: RelayHandler
    private var completion: RequestHandler.Completion?
    /// Once it is known who is asked. Here and not with what waits, which then keeps this object and needs none of its own.
    private var exchange: RelayExchange?
    /// Covers the request's body until it has gone upstream.
    private var allowance: BodyAllowance?
    /// What is being waited for.
    private var step: (any Cancellable)?
    private var isCancelled = false
    /// Whether the upstream has been heard of, perhaps before the call that asked it has returned.
    private var isAnswered = false

    /// Octets of a whole answer; streams have no such cap.
    private static let maximumResponse = 64 << 20
    private static let maximumErrorBody = 64 << 10
    /// Octets. Reading longer documents would keep the loop from others for too long; that of shorter ones takes a few
    /// milliseconds.
    static let longDocument = 256 << 10

    init(
        _ request: RequestHead, _ metadata: ServerRequestMetadata, handler: RelayHandler,
        completion: @escaping RequestHandler.Completion
    ) {
        self.request = request
        self.metadata = metadata
        self.handler = handler
        self.completion = completion
    }

    func start(_ body: HTTPBody?) {
        metadata.work = self
        guard let body else { return read([]) }
        body.collect(upTo: metadata.bodyLimit, within: grantedAllowance()) { [self] result in
            switch result {
            case .success(let content): read(content)
            case .failure(let error): complete(.failure(error))
            }
        }
    }

    private func grantedAllowance() -> BodyAllowance {
        let allowance = handler.bodies.allowance()
        self.allowance = allowance
        return allowance
    }

    /// The client has left. Whatever was waited for says so in its turn.
    func cancel() {
        isCancelled = true
        step?.cancel()
    }

    /// - Parameter work: nil for what cannot be given up.
    private func wait(for work: (any Cancellable)?) {
        step = work
        if isCancelled { work?.cancel() }
    }

    private func complete(_ result: Result<ServerResponse, any Error>) {
        guard let completion else { return }
        self.completion = nil
        step = nil
        allowance = nil
        metadata.work = nil
        completion(result)
    }

    private func complete(_ response: () throws -> ServerResponse) { complete(Result(catching: response)) }

    /// Does work on a long document elsewhere, and goes on here with its result.
    private func aside<Value: Sendable>(_ work: @escaping @Sendable () -> Value, then goOn: @escaping (Value) -> Void) {
        var isOver = false
        let work = metadata.aside(work) { [self] value in
            isOver = true
            step = nil
            guard let value, !isCancelled else { return complete(.failure(TransportError(.cancelled))) }
            goOn(value)
        }
        if !isOver { wait(for: work) }
    }

    // MARK: To the upstream

    private func read(_ content: [UInt8]) {
        let shape = handler.operation.shape
        // Only a long document is carried in a Result: that copies the envelope, which every usual request would pay for.
        guard content.count > RelayedRequest.longDocument else {
            return attempt { () throws(GatewayError) in try route(RequestEnvelope(content, shape: shape)) }
        }
        aside {
            Result { () throws(GatewayError) in try RequestEnvelope(content, shape: shape) }
        } then: { [self] envelope in
            attempt { () throws(GatewayError) in try route(envelope.get()) }
        }
    }

    private func route(_ envelope: RequestEnvelope) throws(GatewayError) {
        let target = try handler.target(of: envelope.model, for: metadata.caller)
        try handler.checkStored(envelope, metadata)
        let record = metadata.record
        record.facts.model = envelope.model
        record.facts.upstream = target.upstream.name
        record.facts.isStream = envelope.isStream
        record.begin(at: target.upstream.activity)
        guard envelope.size > RelayedRequest.longDocument else {
            let prepared = try envelope.prepared(for: target, of: handler.operation)
            return ask(prepared, of: target, body: prepared.upstreamBody(model: target.model))
        }
        let operation = handler.operation
        aside {
            Result { () throws(GatewayError) in
                let prepared = try envelope.prepared(for: target, of: operation)
                return (prepared, prepared.upstreamBody(model: target.model))
            }
        } then: { [self] prepared in
            attempt { () throws(GatewayError) in
                let (envelope, body) = try prepared.get()
                ask(envelope, of: target, body: body)
            }
        }
    }

    @inline(__always)
    private func attempt(_ step: () throws(GatewayError) -> Void) {
        do throws(GatewayError) { try step() } catch { complete(.failure(error)) }
    }

    private func ask(_ envelope: RequestEnvelope, of target: ModelTable.Target, body: [UInt8]) {
        let exchange = RelayExchange(envelope, target: target, record: metadata.record)
        self.exchange = exchange
        send(exchange, body: body)
    }

    private func send(_ exchange: RelayExchange, body: [UInt8]) {
        let transfer = exchange.upstream.send(
            handler.operation.id, handler.head(for: exchange, of: request.fields), body: body
        ) { [self] result in receive(result) }
        if !isAnswered { wait(for: transfer) }
    }

    // MARK: The answer

    /// What was asked: only that has an answer.
    private var asked: RelayExchange {
        guard let exchange else { preconditionFailure("an answer came before anything was asked") }
        return exchange
    }

    private func receive(_ result: Result<UpstreamResponse, TransportError>) {
        isAnswered = true
        step = nil
        allowance = nil
        let exchange = asked
        switch result {
        case .success(let answer): receiveHead(answer, exchange)
        case .failure(let error):
            complete(.failure(GatewayError.transport(error, upstream: exchange.upstream.name)))
        }
    }

    private func receiveHead(_ answer: UpstreamResponse, _ exchange: RelayExchange) {
        let status = answer.head.status
        exchange.record.facts.upstreamStatus = status
        exchange.passedFields = RelayFields.passed(answer.head.fields, of: exchange.upstream)
        guard (200..<300).contains(status) else { return receiveError(answer, exchange) }
        if case .media = handler.operation.answer { return receiveMedia(answer, exchange) }
        if let transform = handler.transform(exchange, metadata) {
            return receiveStream(answer.body, transform, exchange)
        }
        collectWhole(answer.body)
    }

    private func collect(
        _ body: HTTPBody?, upTo limit: Int, completion: @escaping (Result<[UInt8], any Error>) -> Void
    ) {
        let work = AnswerCollector.collect(body, upTo: limit) { [self] result in
            step = nil
            completion(result)
        }
        if let work { wait(for: work) }
    }

    private func receiveError(_ answer: UpstreamResponse, _ exchange: RelayExchange) {
        collect(answer.body, upTo: RelayedRequest.maximumErrorBody) { [self] text in
            var error = exchange.upstream.errors.error(
                status: answer.head.status, headerFields: answer.head.fields.httpFields, body: (try? text.get()) ?? [])
            error.headerFields += exchange.passedFields
            complete(.failure(error))
        }
    }

    private func receiveStream(_ body: HTTPBody?, _ transform: StreamTransform, _ exchange: RelayExchange) {
        guard case .stream(let source)? = body else { return complete(.failure(GatewayError.incompleteStream())) }
        let relay = StreamRelay(
            source: source, transform: transform, dialect: handler.operation.dialect, record: exchange.record)
        let work = relay.open { [self] result in
            step = nil
            complete {
                try result.get()
                return ServerResponse(
                    RelayFields.head(EventStream.head, passing: exchange.passedFields), .stream(relay))
            }
        }
        if let work { wait(for: work) }
    }

    private func receiveMedia(_ answer: UpstreamResponse, _ exchange: RelayExchange) {
        guard let type = SpeechType.passed(answer.head.fields.value(of: .contentType) ?? ""),
            case .stream(let source)? = answer.body
        else { return receiveNoMedia(answer.body, exchange.upstream.errors) }
        let fields: HTTPFields = [.contentType: type, .cacheControl: "no-store"]
        complete {
            ServerResponse(
                HTTPResponse(status: .ok, headerFields: fields + exchange.passedFields),
                .stream(MediaRelay(source: source, record: exchange.record)))
        }
    }

    /// What the upstream says in place of octets, should it be an error.
    private func receiveNoMedia(_ body: HTTPBody?, _ errors: UpstreamErrorReading) {
        collect(body, upTo: RelayedRequest.maximumErrorBody) { [self] text in
            let reported = ((try? text.get()) ?? []).withUnsafeBytes { errors.read($0, status: 200) }
            complete(
                .failure(
                    reported
                        ?? .upstream(
                            502, "upstream_content_type",
                            "The upstream was asked for speech and answered with something else.")))
        }
    }

    /// Like ``collect(_:upTo:completion:)``, with a closure that keeps this object alone and so needs no memory of its own.
    private func collectWhole(_ body: HTTPBody?) {
        let work = AnswerCollector.collect(body, upTo: RelayedRequest.maximumResponse) { [self] result in
            step = nil
            readWhole(result, asked)
        }
        if let work { wait(for: work) }
    }

    private func readWhole(_ result: Result<[UInt8], any Error>, _ exchange: RelayExchange) {
        let bytes: [UInt8]
        do {
            bytes = try result.get()
        } catch let error as TransportError {
            return complete(.failure(GatewayError.transport(error, upstream: exchange.upstream.name)))
        } catch {
            return complete(.failure(GatewayError.oversizeResponse))
        }
        exchange.record.noteFirstContent()
        let reading = WholeResponse.Reading(
            dialect: handler.operation.dialect, publicModel: exchange.publicModel, errors: exchange.upstream.errors)
        guard bytes.count > RelayedRequest.longDocument else {
            return attempt { () throws(GatewayError) in response(with: try reading.read(bytes), exchange) }
        }
        aside {
            Result { () throws(GatewayError) in try reading.read(bytes) }
        } then: { [self] whole in
            attempt { () throws(GatewayError) in response(with: try whole.get(), exchange) }
        }
    }

    private func response(with whole: WholeResponse, _ exchange: RelayExchange) {
        if let note = handler.storedNote(metadata) { whole.idLiteral?.withUnsafeBytes(note) }
        let record = exchange.record
        record.facts.promptTokens = whole.promptTokens
        record.facts.completionTokens = whole.completionTokens
        record.facts.finishReason = whole.finishReason
        complete(
            .success(
                ServerResponse(
                    RelayFields.head(RelayFields.responseHead, passing: exchange.passedFields), .bytes(whole.bytes))))
    }
}
