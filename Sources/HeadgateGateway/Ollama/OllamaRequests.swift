internal import HTTPTypes
internal import HeadgateDialects
internal import HeadgateHTTP
internal import HeadgatePrimitives
internal import HeadgateRelay
internal import JSONBytes

/// Middleware that applies Ollama's conventions to requests. Chat and generate requests stream by default, the model's
/// tag is optional, and a request without input loads or unloads the model.
struct OllamaRequests: EnvelopeRewriting {
    let question: OllamaQuestion
    let names: OllamaNames
    /// Nanoseconds since 1970.
    let realtime: @Sendable () -> Int64

    struct Reading {
        /// Envelope with the gateway's name for the model.
        let envelope: RequestEnvelope
        /// Whether the request has no input.
        let isEmpty: Bool
        let unloads: Bool
    }

    func intercept(
        _ request: RelayRequest, next: RelayNext, completion: @escaping RequestHandler.Completion
    ) -> (any Cancellable)? {
        let call = OllamaRequest(self, request, next, completion: completion)
        call.start()
        return call
    }

    func meaning(of envelope: RequestEnvelope, for caller: ClientKey) throws(GatewayError) -> RequestEnvelope {
        try read(envelope, for: caller).envelope
    }

    func read(_ envelope: RequestEnvelope, for caller: ClientKey) throws(GatewayError) -> Reading {
        let scan: OllamaRequestScan
        do throws(JSONError) {
            scan = try envelope.bytes.withUnsafeBufferPointer { (bytes) throws(JSONError) in
                try OllamaRequestScan(UnsafeRawBufferPointer(bytes), of: question)
            }
        } catch {
            throw .invalidRequest(400, "The request body is refused: \(error.description).", code: "invalid_json")
        }
        let read = envelope.read(
            asFor: names.resolved(envelope.model, for: caller),
            isStream: question.isStream && scan.isStream ?? true)
        return Reading(envelope: read, isEmpty: scan.isEmpty, unloads: scan.unloads)
    }

    /// - Parameter model: the client's name for the model.
    func emptyResponse(model: String, _ reading: Reading) -> ServerResponse {
        var time: [UInt8] = []
        Timestamp.append(realtime(), to: &time)
        let answer = question.emptyAnswer(
            model: model, at: String(decoding: time, as: UTF8.self), unloads: reading.unloads)
        return ServerResponse(RelayFields.responseHead, .bytes(answer.bytes))
    }
}

/// Request that passes through ``OllamaRequests``.
private final class OllamaRequest: PendingCall {
    private let requests: OllamaRequests
    private let request: RelayRequest
    private let next: RelayNext
    private let completion: RequestHandler.Completion

    init(
        _ requests: OllamaRequests, _ request: RelayRequest, _ next: RelayNext,
        completion: @escaping RequestHandler.Completion
    ) {
        self.requests = requests
        self.request = request
        self.next = next
        self.completion = completion
    }

    func start() {
        let (requests, envelope, caller) = (requests, request.envelope, request.metadata.caller)
        work(on: envelope.size, request.metadata) { () throws(GatewayError) in
            try requests.read(envelope, for: caller)
        } then: { [self] result in
            switch result {
            case .success(let reading): goOn(with: reading)
            case .failure(let error): completion(.failure(error))
            }
        }
    }

    private func goOn(with reading: OllamaRequests.Reading) {
        guard !reading.isEmpty else { return answerNothing(reading) }
        let meant = RelayRequest(
            head: request.head, metadata: request.metadata, envelope: reading.envelope, allowance: request.allowance)
        wait {
            next(meant) { [self] result in
                stepEnded()
                completion(result.map(OllamaRequest.asLines))
            }
        }
    }

    private func answerNothing(_ reading: OllamaRequests.Reading) {
        request.metadata.record.facts.model = reading.envelope.model
        do throws(GatewayError) {
            try next.check(reading.envelope.model, for: request.metadata.caller)
            completion(.success(requests.emptyResponse(model: request.envelope.model, reading)))
        } catch {
            completion(.failure(error))
        }
    }

    /// Changes the head of an event stream to that of a line stream: the body is already written in lines.
    private static func asLines(_ response: ServerResponse) -> ServerResponse {
        guard EventStream.isEventStream(response.head) else { return response }
        var lines = response
        lines.head = LineStream.head(response.head)
        return lines
    }
}

extension Capability {
    static let ollama = Capability(
        name: "ollama",
        perRequest: { context, operation in
            OllamaQuestion(operation).map {
                OllamaRequests(question: $0, names: OllamaNames(context), realtime: context.realtime)
            }
        },
        handlers: { OllamaRoutes.handlers(OllamaModels(names: OllamaNames($0), created: $0.startedAt)) })
}

extension OllamaNames {
    fileprivate init(_ context: CapabilityContext) {
        self.init(models: context.relay.models, discovery: context.discovery)
    }
}
