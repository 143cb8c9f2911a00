internal import HeadgateConfiguration
internal import HeadgateDialects
internal import HeadgateHTTP
internal import HeadgateRelay
internal import JSONBytes

/// Middleware that adds a model's configured instructions to its requests.
struct PresetMiddleware: EnvelopeRewriting {
    private let models: ModelTable
    private let format: ClientFormat

    /// Returns nil if no model has instructions, and for operations whose requests hold none.
    init?(_ models: ModelTable, _ operation: RelayOperation) {
        guard models.routes.contains(where: { $0.route.instructions != nil }),
            let format = operation.requestFormat
        else { return nil }
        self.models = models
        self.format = format
    }

    func intercept(
        _ request: RelayRequest, next: RelayNext, completion: @escaping RequestHandler.Completion
    ) -> (any Cancellable)? {
        guard models.route(of: request.envelope.model)?.instructions != nil else {
            return next(request, completion: completion)
        }
        let call = PresetRequest(self, request, next, completion: completion)
        call.start()
        return call
    }

    func meaning(of envelope: RequestEnvelope, for _: ClientKey) throws(GatewayError) -> RequestEnvelope {
        guard let rules = models.route(of: envelope.model)?.instructions else { return envelope }
        let preset = InstructionPreset(rules)
        let edited: [UInt8]
        do throws(JSONError) {
            edited = try envelope.bytes.withUnsafeBufferPointer { (bytes) throws(JSONError) in
                let document = UnsafeRawBufferPointer(bytes)
                return JSONSplice.applying(try preset.edits(for: document, in: format), to: document)
            }
        } catch {
            throw .invalidRequest(400, "The request body is refused: \(error.description).", code: "invalid_json")
        }
        return try RequestEnvelope(edited, shape: envelope.shape)
    }
}

/// Request that passes through ``PresetMiddleware``. Long requests are edited on a side thread.
private final class PresetRequest: PendingCall {
    private let middleware: PresetMiddleware
    private let request: RelayRequest
    private let next: RelayNext
    private let completion: RequestHandler.Completion

    init(
        _ middleware: PresetMiddleware, _ request: RelayRequest, _ next: RelayNext,
        completion: @escaping RequestHandler.Completion
    ) {
        self.middleware = middleware
        self.request = request
        self.next = next
        self.completion = completion
    }

    func start() {
        let (middleware, envelope, caller) = (middleware, request.envelope, request.metadata.caller)
        work(on: envelope.size, request.metadata) { () throws(GatewayError) in
            try middleware.meaning(of: envelope, for: caller)
        } then: { [self] result in
            switch result {
            case .success(let envelope): relay(envelope)
            case .failure(let error): completion(.failure(error))
            }
        }
    }

    private func relay(_ envelope: RequestEnvelope) {
        let edited = RelayRequest(
            head: request.head, metadata: request.metadata, envelope: envelope, allowance: request.allowance,
            companion: request.companion)
        wait {
            next(edited) { [self] result in
                stepEnded()
                completion(result)
            }
        }
    }
}

extension Capability {
    static let presets = Capability(
        name: "instructions", perRequest: { context, operation in PresetMiddleware(context.relay.models, operation) })
}
