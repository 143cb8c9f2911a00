internal import HTTPTypes
internal import HeadgateConfiguration
internal import HeadgateHTTP

/// `POST /v1/chat/completions`: finds the model's upstream, sends the request on, and relays the answer.
struct ChatCompletionsHandler: Sendable {
    let models: ModelTable

    /// Octets of a whole answer; streams have no such cap.
    private static let maximumAnswer = 64 << 20
    private static let maximumErrorBody = 64 << 10

    func handle(
        _ request: HTTPRequest, _ body: HTTPBody?, _ metadata: ServerRequestMetadata
    ) async throws -> (HTTPResponse, HTTPBody?) {
        var envelope = try RequestEnvelope(await body?.collect(upTo: metadata.bodyLimit) ?? [])
        let target = try target(of: envelope.model, for: metadata.caller)
        let record = metadata.record
        record.facts.model = envelope.model
        record.facts.upstream = target.upstream.name
        record.facts.isStream = envelope.isStream

        if let rewriting = target.parameters { envelope = try envelope.rewritten(by: rewriting) }
        try ChatCompletionsHandler.checkDialect(of: target.upstream, model: envelope.model)
        let (response, answer) = try await send(envelope, to: target, forwarding: request.headerFields)
        let status = response.status.code
        record.facts.upstreamStatus = status
        let errors = UpstreamErrorReading(upstream: target.upstream.name, secret: target.upstream.credential)
        guard (200..<300).contains(status) else {
            let text = try? await AnswerCollector.collect(answer, upTo: ChatCompletionsHandler.maximumErrorBody)
            throw errors.error(status: status, headerFields: response.headerFields, body: text ?? [])
        }
        if envelope.isStream {
            return try await relay(answer, envelope, target, errors, record)
        }
        return try await relayWhole(answer, envelope, target, errors, record)
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

    private static func checkDialect(of upstream: Upstream, model: String) throws(GatewayError) {
        guard case .anthropic = upstream.kind else { return }
        throw .invalidRequest(
            400,
            "The model '\(model)' is served by the upstream '\(upstream.name)', which speaks Anthropic's Messages; "
                + "this route speaks OpenAI's chat completions.",
            code: "dialect_not_spoken", parameter: "model")
    }

    private func send(
        _ envelope: RequestEnvelope, to target: ModelTable.Target, forwarding fields: HTTPFields
    ) async throws -> (HTTPResponse, HTTPBody?) {
        let upstream = target.upstream
        var request = HTTPRequest(
            method: .post, scheme: nil, authority: upstream.authority,
            path: upstream.chatCompletionsPath(model: target.model ?? envelope.model),
            headerFields: envelope.isStream ? RequestFields.stream : RequestFields.whole)
        for name in upstream.forwardedFields {
            for field in fields[fields: name] { request.headerFields.append(field) }
        }
        do {
            return try await upstream.createChatCompletion(
                request, .bytes(envelope.upstreamBody(model: target.model)), upstream.baseURL)
        } catch let error as TransportError {
            throw GatewayError.transport(error, upstream: upstream.name)
        }
    }

    private func relay(
        _ answer: HTTPBody?, _ envelope: RequestEnvelope, _ target: ModelTable.Target, _ errors: UpstreamErrorReading,
        _ record: RequestRecord
    ) async throws -> (HTTPResponse, HTTPBody?) {
        guard case .stream(let source)? = answer else { throw GatewayError.incompleteStream() }
        let options = ChatStreamTransform.Options(
            publicModel: target.publicModel(envelope.model), choices: envelope.choices,
            keepsUsage: envelope.asksUsage, errors: errors)
        let relay = StreamRelay(source: source, transform: ChatStreamTransform(options: options), record: record)
        try await relay.open()
        return (HTTPResponse(status: .ok, headerFields: EventStream.headerFields), .stream(relay))
    }

    private func relayWhole(
        _ answer: HTTPBody?, _ envelope: RequestEnvelope, _ target: ModelTable.Target, _ errors: UpstreamErrorReading,
        _ record: RequestRecord
    ) async throws -> (HTTPResponse, HTTPBody?) {
        let bytes: [UInt8]
        do {
            bytes = try await AnswerCollector.collect(answer, upTo: ChatCompletionsHandler.maximumAnswer)
        } catch let error as TransportError {
            throw GatewayError.transport(error, upstream: target.upstream.name)
        } catch is HTTPSyntaxError {
            throw GatewayError.upstream(
                502, "upstream_oversize", "The upstream's answer is larger than the gateway's cap.")
        }
        record.noteFirstContent()
        let whole = try WholeAnswer(bytes, publicModel: target.publicModel(envelope.model), errors: errors)
        record.facts.promptTokens = whole.promptTokens
        record.facts.completionTokens = whole.completionTokens
        record.facts.finishReason = whole.finishReason
        return (HTTPResponse(status: .ok, headerFields: RequestFields.answer), .bytes(whole.bytes))
    }
}

/// Fields that are the same for every request, made once.
private enum RequestFields {
    static let stream = upstream(accept: "text/event-stream")
    static let whole = upstream(accept: "application/json")
    static let answer: HTTPFields = [.contentType: "application/json", .cacheControl: "no-store"]

    private static func upstream(accept: String) -> HTTPFields {
        [
            .contentType: "application/json", .accept: accept, .acceptEncoding: "identity", .userAgent: "headgate",
        ]
    }
}
