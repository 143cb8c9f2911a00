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
    /// What is being waited for.
    private var step: (any Cancellable)?
    private var isCancelled = false
    /// Whether the upstream has been heard of, perhaps before the call that asked it has returned.
    private var isAnswered = false

    /// Octets of a whole answer; streams have no such cap.
    private static let maximumAnswer = 64 << 20
    private static let maximumErrorBody = 64 << 10

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
        guard let body else { return send([]) }
        body.collect(upTo: metadata.bodyLimit) { [self] result in
            switch result {
            case .success(let content): send(content)
            case .failure(let error): complete(.failure(error))
            }
        }
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

    private func complete(_ result: Result<Reply, any Error>) {
        guard let completion else { return }
        self.completion = nil
        step = nil
        metadata.work = nil
        completion(result)
    }

    private func complete(_ reply: () throws -> Reply) { complete(Result(catching: reply)) }

    // MARK: To the upstream

    private func send(_ content: [UInt8]) {
        do throws(GatewayError) {
            var envelope = try RequestEnvelope(content, shape: handler.operation.shape)
            let target = try handler.target(of: envelope.model, for: metadata.caller)
            let record = metadata.record
            record.facts.model = envelope.model
            record.facts.upstream = target.upstream.name
            record.facts.isStream = envelope.isStream
            record.begin(at: target.upstream.activity)
            if let rewriting = target.parameters { envelope = try envelope.rewritten(by: rewriting) }
            let exchange = RelayExchange(envelope, target: target, record: record)
            self.exchange = exchange
            send(exchange, body: envelope.upstreamBody(model: target.model))
        } catch {
            complete(.failure(error))
        }
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

    private func receive(_ result: Result<UpstreamAnswer, TransportError>) {
        isAnswered = true
        step = nil
        let exchange = asked
        switch result {
        case .success(let answer): receive(answer, exchange)
        case .failure(let error):
            complete(.failure(GatewayError.transport(error, upstream: exchange.upstream.name)))
        }
    }

    private func receive(_ answer: UpstreamAnswer, _ exchange: RelayExchange) {
        let status = answer.head.status
        exchange.record.facts.upstreamStatus = status
        exchange.passedFields = RelayFields.passed(answer.head.fields, of: exchange.upstream)
        guard (200..<300).contains(status) else { return receiveError(answer, exchange) }
        if case .media = handler.operation.answer { return receiveMedia(answer, exchange) }
        if let transform = handler.transform(exchange) { return receiveStream(answer.body, transform, exchange) }
        receiveWhole(answer.body)
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

    private func receiveError(_ answer: UpstreamAnswer, _ exchange: RelayExchange) {
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
                return Reply(
                    RelayFields.head(EventStream.head, passing: exchange.passedFields), .stream(relay))
            }
        }
        if let work { wait(for: work) }
    }

    private func receiveMedia(_ answer: UpstreamAnswer, _ exchange: RelayExchange) {
        let type = answer.head.fields.value(of: .contentType) ?? ""
        let bare = type.prefix { $0 != ";" && $0 != " " }.lowercased()
        guard bare.hasPrefix("audio/") || bare.hasPrefix("video/") || bare == "application/octet-stream",
            case .stream(let source)? = answer.body
        else { return receiveNoMedia(answer.body, exchange.upstream.errors) }
        let fields: HTTPFields = [.contentType: type, .cacheControl: "no-store"]
        complete {
            Reply(
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
    private func receiveWhole(_ body: HTTPBody?) {
        let work = AnswerCollector.collect(body, upTo: RelayedRequest.maximumAnswer) { [self] result in
            step = nil
            complete { try wholeReply(result, asked) }
        }
        if let work { wait(for: work) }
    }

    private func wholeReply(_ result: Result<[UInt8], any Error>, _ exchange: RelayExchange) throws -> Reply {
        let bytes: [UInt8]
        do {
            bytes = try result.get()
        } catch let error as TransportError {
            throw GatewayError.transport(error, upstream: exchange.upstream.name)
        } catch is HTTPSyntaxError {
            throw GatewayError.oversizeAnswer
        }
        let record = exchange.record
        record.noteFirstContent()
        let whole: WholeAnswer
        switch handler.operation.dialect {
        case .openAI:
            whole = try WholeAnswer(bytes, publicModel: exchange.publicModel, errors: exchange.upstream.errors)
        case .responses, .anthropic:
            whole = try WholeAnswer(typed: bytes, publicModel: exchange.publicModel, errors: exchange.upstream.errors)
        }
        record.facts.promptTokens = whole.promptTokens
        record.facts.completionTokens = whole.completionTokens
        record.facts.finishReason = whole.finishReason
        return Reply(
            RelayFields.head(RelayFields.answerHead, passing: exchange.passedFields), .bytes(whole.bytes))
    }
}
