internal import HeadgateConfiguration
internal import HeadgateContract
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
        let countsTokens = operation.id == OperationTable.countMessageTokens.id
        guard models.routes.contains(where: { $0.route.instructions != nil }),
            let format = operation.format ?? (countsTokens ? .messages : nil)
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
        do throws(GatewayError) {
            let envelope = try meaning(of: request.envelope, for: request.metadata.caller)
            return next(
                RelayRequest(
                    head: request.head, metadata: request.metadata, envelope: envelope, allowance: request.allowance,
                    companion: request.companion),
                completion: completion)
        } catch {
            completion(.failure(error))
            return nil
        }
    }

    func meaning(of envelope: RequestEnvelope, for _: ClientKey) throws(GatewayError) -> RequestEnvelope {
        guard let rules = models.route(of: envelope.model)?.instructions else { return envelope }
        let preset = InstructionPreset(rules)
        // The envelope was read as strict JSON, so that no member is of an unknown form here.
        let edited = envelope.bytes.withUnsafeBytes { document in
            (try? preset.edits(for: document, in: format)).map { JSONSplice.applying($0, to: document) }
        }
        return try RequestEnvelope(edited ?? envelope.bytes, shape: envelope.shape)
    }
}

extension Capability {
    static let presets = Capability(
        name: "instructions", perRequest: { context, operation in PresetMiddleware(context.relay.models, operation) })
}
