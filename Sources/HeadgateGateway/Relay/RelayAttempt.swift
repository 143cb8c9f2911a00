internal import HTTPTypes
internal import HeadgateHTTP

/// The end of a relayed request's chain: finds the upstream of its model, and sends it the request.
final class RelayAttempt: UpstreamAttempt {
    let model: String
    private(set) var isStream: Bool
    /// The choices that the request asks for (`n`).
    private(set) var choices = 1
    /// Whether the client itself asked for usage in its stream.
    private(set) var asksUsage = false
    let target: ModelTable.Target
    private let handler: RelayHandler
    private var allowance: BodyAllowance?

    /// - Parameter completion: called once, perhaps before this returns.
    /// - Returns: what gives the attempt up; nil when it is over already.
    static func start(
        _ request: RelayRequest, _ handler: RelayHandler, completion: @escaping RequestHandler.Completion
    ) -> (any Cancellable)? {
        do throws(GatewayError) {
            let target = try handler.target(of: request.envelope.model, for: request.metadata.caller)
            try handler.checkStored(request.envelope, request.metadata)
            let attempt = RelayAttempt(request, at: target, handler, completion: completion)
            attempt.prepare(request.envelope, request.head.fields)
            return attempt
        } catch {
            completion(.failure(error))
            return nil
        }
    }

    private init(
        _ request: RelayRequest, at target: ModelTable.Target, _ handler: RelayHandler,
        completion: @escaping RequestHandler.Completion
    ) {
        model = request.envelope.model
        isStream = request.envelope.isStream
        allowance = request.allowance
        self.target = target
        self.handler = handler
        super.init(at: target.upstream, request.metadata, completion: completion)
        let record = metadata.record
        record.facts.model = model
        record.facts.upstream = upstream.name
        record.facts.isStream = isStream
        record.beginAttempt(at: upstream.activity)
    }

    /// - Parameter client: the fields of the client's request.
    private func prepare(_ envelope: RequestEnvelope, _ client: HeadFields) {
        guard envelope.size > LongDocument.octets else {
            // The usual case, without a copy.
            if target.takesRequestsAsTheyAre {
                return send(envelope, envelope.upstreamBody(model: target.model), client)
            }
            do throws(GatewayError) {
                let prepared = try envelope.prepared(for: target, of: handler.operation)
                send(prepared, prepared.upstreamBody(model: target.model), client)
            } catch {
                fail(error)
            }
            return
        }
        let (target, operation) = (target, handler.operation)
        aside(metadata) { () throws(GatewayError) in
            let prepared = try envelope.prepared(for: target, of: operation)
            return (prepared, prepared.upstreamBody(model: target.model))
        } then: { [self] result in
            switch result {
            case .success(let (envelope, body)): send(envelope, body, client)
            case .failure(let error): fail(error)
            }
        }
    }

    /// - Parameter envelope: after the parameter rules of the upstream.
    private func send(_ envelope: RequestEnvelope, _ body: [UInt8], _ client: HeadFields) {
        isStream = envelope.isStream
        choices = envelope.choices
        asksUsage = envelope.asksUsage
        send(
            UpstreamRequest(handler.head(for: self, of: client), body: body, operationID: handler.operation.id),
            expecting: isStream ? handler.expectedOfStreams : handler.expected)
    }

    // MARK: How the response is read

    /// The model's name in the response; nil to leave the one of the upstream.
    var publicModel: String? { target.publicModel(model) }

    override var reading: WholeResponse.Reading {
        WholeResponse.Reading(
            dialect: handler.operation.dialect, publicModel: publicModel, errors: upstream.errors)
    }

    override func makeTransform() -> any StreamTransform { handler.transform(for: self) }

    override func requestIsTaken() { allowance = nil }

    override func note(_ whole: WholeResponse) {
        if let noteID = handler.storedNote(metadata) { whole.idLiteral?.withUnsafeBytes(noteID) }
        let record = metadata.record
        record.facts.promptTokens = whole.promptTokens
        record.facts.completionTokens = whole.completionTokens
        record.facts.finishReason = whole.finishReason
    }
}
