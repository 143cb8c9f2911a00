internal import HeadgateDialects
internal import HeadgateHTTP
internal import JSONBytes

/// A request, with all that it continues.
struct ContinuedRequest: Sendable {
    /// As the client sent it.
    let turn: ResponsesTurn
    let envelope: RequestEnvelope
    /// The response that it continues, where the gateway has kept it.
    let previous: String?
}

extension PendingCall {
    /// Finds what a request continues, where the gateway has kept it, as steps.
    ///
    /// - Parameters:
    ///   - now: nanoseconds since 1970.
    ///   - goOn: called once, on the loop of the request.
    func continued(
        _ envelope: RequestEnvelope, _ metadata: ServerRequestMetadata, _ kept: KeptResponses,
        _ access: StoredResponseAccess, at now: Int64,
        then goOn: @escaping (Result<ContinuedRequest, any Error>) -> Void
    ) {
        guard let id = envelope.previousResponseID, KeptResponses.isID(id) else {
            let work: @Sendable () throws(GatewayError) -> ContinuedRequest = { () throws(GatewayError) in
                ContinuedRequest(turn: try ResponsesTurn(of: envelope), envelope: envelope, previous: nil)
            }
            return read(envelope.size, metadata, work, then: goOn)
        }
        let owner = access.owner(metadata)
        ask(metadata) { answer in
            kept.store.findChain(
                endingAt: id, of: owner, at: now / 1_000_000_000, within: kept.chains, completion: answer)
        } then: { [self] (result: Result<ResponseChain, any Error>) in
            switch result {
            case .failure(let error): goOn(.failure(error))
            case .success(.unknown): goOn(.failure(GatewayError.unknownPreviousResponse))
            case .success(.broken): goOn(.failure(GatewayError.brokenConversation))
            case .success(.tooLong): goOn(.failure(GatewayError.longConversation))
            case .success(.found(let turns)):
                let octets = turns.reduce(envelope.size) { $0 + $1.size }
                let work: @Sendable () throws(GatewayError) -> ContinuedRequest = { () throws(GatewayError) in
                    try ContinuedRequest(envelope, after: turns)
                }
                read(octets, metadata, work, then: goOn)
            }
        }
    }

    private func read(
        _ octets: Int, _ metadata: ServerRequestMetadata,
        _ work: @escaping @Sendable () throws(GatewayError) -> ContinuedRequest,
        then goOn: @escaping (Result<ContinuedRequest, any Error>) -> Void
    ) {
        guard octets <= LongDocument.octets else { return aside(metadata, work, then: goOn) }
        goOn(Result { () throws(GatewayError) in try work() }.mapError { $0 })
    }
}

extension ContinuedRequest {
    /// - Parameter turns: the first one first; not empty.
    fileprivate init(_ envelope: RequestEnvelope, after turns: [KeptResponse]) throws(GatewayError) {
        turn = try ResponsesTurn(of: envelope)
        previous = turns.last?.id
        let history = turns.flatMap { [$0.input, ResponsesTurn.output(of: $0.document)] }
        self.envelope = try RequestEnvelope(turn.request(after: history), shape: envelope.shape)
    }
}

extension ResponsesTurn {
    fileprivate init(of envelope: RequestEnvelope) throws(GatewayError) {
        do throws(JSONError) {
            self = try ResponsesTurn(envelope.bytes)
        } catch {
            throw .invalidRequest(400, "The request body is refused: \(error.description).", code: "invalid_json")
        }
    }
}
