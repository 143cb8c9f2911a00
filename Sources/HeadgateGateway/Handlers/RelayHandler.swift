internal import HTTPTypes
internal import HeadgateConfiguration
internal import HeadgateHTTP

/// A relayed operation: finds the model's upstream, sends the request on, and relays the answer.
struct RelayHandler: Sendable {
    private let operation: RelayOperation
    private let models: ModelTable
    private let heads: [ObjectIdentifier: RelayHeads]

    init(operation: RelayOperation, models: ModelTable) {
        self.operation = operation
        self.models = models
        heads = Dictionary(
            models.upstreams.map { (ObjectIdentifier($0), RelayHeads(of: operation, to: $0)) },
            uniquingKeysWith: { first, _ in first })
    }

    /// Octets of a whole answer; streams have no such cap.
    private static let maximumAnswer = 64 << 20
    private static let maximumErrorBody = 64 << 10

    func handle(
        _ request: RequestHead, _ body: HTTPBody?, _ metadata: ServerRequestMetadata
    ) async throws -> Reply {
        let content = try await body?.collect(upTo: metadata.bodyLimit) ?? []
        var envelope = try RequestEnvelope(content, shape: operation.shape)
        let target = try target(of: envelope.model, for: metadata.caller)
        let record = metadata.record
        record.facts.model = envelope.model
        record.facts.upstream = target.upstream.name
        record.facts.isStream = envelope.isStream

        try checkDialect(of: target.upstream, model: envelope.model)
        record.begin(at: target.upstream.activity)
        if let rewriting = target.parameters { envelope = try envelope.rewritten(by: rewriting) }
        let (response, answer) = try await target.upstream.send(
            operation.id, head(for: envelope, to: target, of: request.fields),
            body: envelope.upstreamBody(model: target.model))
        let status = response.status
        record.facts.upstreamStatus = status
        let errors = UpstreamErrorReading(upstream: target.upstream.name, secret: target.upstream.credential)
        guard (200..<300).contains(status) else {
            let text = try? await AnswerCollector.collect(answer, upTo: RelayHandler.maximumErrorBody)
            var error = errors.error(status: status, headerFields: response.fields.httpFields, body: text ?? [])
            error.headerFields += RelayFields.passed(response.fields, of: target.upstream)
            throw error
        }
        let exchange = RelayExchange(
            envelope: envelope, target: target, errors: errors, record: record,
            passedFields: RelayFields.passed(response.fields, of: target.upstream))
        switch operation.answer {
        case .media: return try await relayMedia(response, answer, exchange)
        case .choices where envelope.isStream:
            return try await relay(answer, through: chatTransform(exchange), exchange)
        case .typed(let shape) where envelope.isStream:
            return try await relay(answer, through: typedTransform(shape, exchange), exchange)
        case .choices, .typed, .document:
            return try await relayWhole(answer, exchange)
        }
    }

    private func target(of model: String, for caller: any Caller) throws(GatewayError) -> ModelTable.Target {
        guard let target = models.target(of: model) else {
            throw .unknownModel(nearest: nearest(model, in: models.names.filter(caller.allows(model:))))
        }
        guard caller.allows(model: model) else {
            throw .invalidRequest(
                403, "This key may not use that model. GET /v1/models lists the models that it may use.",
                code: "model_not_allowed", parameter: "model")
        }
        return target
    }

    private func checkDialect(of upstream: Upstream, model: String) throws(GatewayError) {
        let isAnthropicRoute = if case .anthropic = operation.dialect { true } else { false }
        let isAnthropicUpstream = if case .anthropic = upstream.kind { true } else { false }
        guard isAnthropicRoute != isAnthropicUpstream else { return }
        let spoken = isAnthropicUpstream ? Dialect.anthropic.name : Dialect.openAI.name
        throw .invalidRequest(
            400,
            "The model '\(model)' is served by the upstream '\(upstream.name)', which speaks \(spoken); this route speaks "
                + "\(operation.dialect.name).",
            code: "dialect_not_spoken", parameter: "model")
    }

    private func head(
        for envelope: RequestEnvelope, to target: ModelTable.Target, of client: HeadFields
    ) -> OutgoingHead {
        guard let heads = heads[ObjectIdentifier(target.upstream)] else {
            preconditionFailure("no heads are made for \(target.upstream.name)")
        }
        return heads.head(isStream: envelope.isStream, client: client, model: target.model ?? envelope.model)
    }

    // MARK: Answers

    private func chatTransform(_ exchange: RelayExchange) -> StreamTransform {
        let envelope = exchange.envelope
        return ChatStreamTransform(
            options: ChatStreamTransform.Options(
                publicModel: exchange.publicModel, choices: envelope.choices, keepsUsage: envelope.asksUsage,
                errors: exchange.errors))
    }

    private func typedTransform(_ shape: TypedStreamShape, _ exchange: RelayExchange) -> StreamTransform {
        TypedStreamTransform(
            options: TypedStreamTransform.Options(
                publicModel: exchange.publicModel, terminal: shape.terminal, silent: shape.silent,
                endsWithDone: shape.endsWithDone, errors: exchange.errors))
    }

    private func relay(
        _ answer: HTTPBody?, through transform: StreamTransform, _ exchange: RelayExchange
    ) async throws -> Reply {
        guard case .stream(let source)? = answer else { throw GatewayError.incompleteStream() }
        let relay = StreamRelay(
            source: source, transform: transform, dialect: operation.dialect, record: exchange.record)
        try await relay.open()
        return Reply(
            RelayFields.head(EventStream.head, passing: exchange.passedFields), .stream(relay))
    }

    private func relayMedia(
        _ response: ResponseHead, _ answer: HTTPBody?, _ exchange: RelayExchange
    ) async throws -> Reply {
        let type = response.fields.value(of: .contentType) ?? ""
        let bare = type.prefix { $0 != ";" && $0 != " " }.lowercased()
        guard bare.hasPrefix("audio/") || bare.hasPrefix("video/") || bare == "application/octet-stream",
            case .stream(let source)? = answer
        else { throw await notMedia(answer, exchange.errors) }
        let fields: HTTPFields = [.contentType: type, .cacheControl: "no-store"]
        return Reply(
            HTTPResponse(status: .ok, headerFields: fields + exchange.passedFields),
            .stream(MediaRelay(source: source, record: exchange.record)))
    }

    /// What the upstream says in place of octets, should it be an error.
    private func notMedia(_ answer: HTTPBody?, _ errors: UpstreamErrorReading) async -> GatewayError {
        let text = try? await AnswerCollector.collect(answer, upTo: RelayHandler.maximumErrorBody)
        return (text ?? []).withUnsafeBytes { errors.read($0, status: 200) }
            ?? .upstream(
                502, "upstream_content_type", "The upstream was asked for speech and answered with something else.")
    }

    private func relayWhole(
        _ answer: HTTPBody?, _ exchange: RelayExchange
    ) async throws -> Reply {
        let upstream = exchange.target.upstream
        let bytes: [UInt8]
        do {
            bytes = try await AnswerCollector.collect(answer, upTo: RelayHandler.maximumAnswer)
        } catch let error as TransportError {
            throw GatewayError.transport(error, upstream: upstream.name)
        } catch is HTTPSyntaxError {
            throw GatewayError.oversizeAnswer
        }
        exchange.record.noteFirstContent()
        let whole: WholeAnswer
        switch operation.dialect {
        case .openAI:
            whole = try WholeAnswer(bytes, publicModel: exchange.publicModel, errors: exchange.errors)
        case .responses, .anthropic:
            whole = try WholeAnswer(typed: bytes, publicModel: exchange.publicModel, errors: exchange.errors)
        }
        exchange.record.facts.promptTokens = whole.promptTokens
        exchange.record.facts.completionTokens = whole.completionTokens
        exchange.record.facts.finishReason = whole.finishReason
        return Reply(
            RelayFields.head(RelayFields.answerHead, passing: exchange.passedFields), .bytes(whole.bytes))
    }
}
