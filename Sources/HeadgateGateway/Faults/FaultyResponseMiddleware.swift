internal import HTTPTypes
internal import HeadgateConfiguration
internal import HeadgateFaults
internal import HeadgateHTTP
internal import HeadgateRelay

/// Middleware that reads the fault that a request specifies (`x-headgate-fault`) and injects faults into responses.
struct FaultyResponseMiddleware: RelayMiddleware {
    private let rules: FaultRules
    /// Whether every caller may request faults.
    private let isOpenToAll: Bool

    init(_ rules: FaultRules, isOpenToAll: Bool) {
        self.rules = rules.towardsClients
        self.isOpenToAll = isOpenToAll
    }

    func intercept(
        _ request: RelayRequest, next: RelayNext, completion: @escaping RequestHandler.Completion
    ) -> (any Cancellable)? {
        let metadata = request.metadata
        let found: Fault?
        do throws(GatewayError) {
            found = try fault(for: request)
        } catch {
            completion(.failure(error))
            return nil
        }
        guard let fault = found else { return next(request, completion: completion) }
        metadata.record.facts.noteInjected(fault)
        let call = PendingCall()
        delay(fault, call, metadata) { result in
            if case .failure(let error) = result { return completion(.failure(error)) }
            if fault.replacesResponse, let early = response(in: fault, metadata) { return completion(early) }
            call.wait {
                next(request) { result in
                    call.stepEnded()
                    completion(result.map { damaged($0, by: fault, metadata) })
                }
            }
        }
        return call
    }

    /// Returns the fault for the client's response. A fault for the gateway is left to the attempts.
    private func fault(for request: RelayRequest) throws(GatewayError) -> Fault? {
        let metadata = request.metadata
        guard let text = request.head.fields.httpFields[.xHeadgateFault] else {
            return rules.fault(model: request.envelope.model, key: metadata.caller.name)
        }
        guard metadata.caller.isAdmin || isOpenToAll else { throw .faultNotForThisKey }
        let fault: Fault
        do throws(InvalidValue) { fault = try Fault(parsing: text) } catch { throw .unclearFault(error.message) }
        guard fault.receiver == .gateway else { return fault }
        metadata.record.facts.notes[.requestedFault] = text
        return nil
    }

    private func delay(
        _ fault: Fault, _ call: PendingCall, _ metadata: ServerRequestMetadata,
        then goOn: @escaping (Result<Void, any Error>) -> Void
    ) {
        guard let delay = fault.headDelay else { return goOn(.success(())) }
        call.pause(delay, metadata, then: goOn)
    }

    private func response(
        in fault: Fault, _ metadata: ServerRequestMetadata
    ) -> Result<ServerResponse, any Error>? {
        var error = GatewayError(
            fault.status ?? 500, type: "server_error", code: "fault_injected",
            message: "This error was injected by 'fault_injection' of the gateway.", cause: .gatewayFailed)
        if let seconds = fault.retryAfter { error.headerFields[.retryAfter] = "\(seconds)" }
        guard fault.isErrorIn200 else { return fault.status == nil ? nil : .failure(error) }
        let whole = (metadata.dialect ?? .openAI).response(error, requestID: metadata.record.requestID)
        return .success(
            ServerResponse(HTTPResponse(status: .ok, headerFields: whole.head.response.headerFields), whole.body))
    }

    private func damaged(
        _ response: ServerResponse, by fault: Fault, _ metadata: ServerRequestMetadata
    ) -> ServerResponse {
        var damaged = response
        if let type = fault.contentType {
            var changed = response.head.response
            changed.headerFields[.contentType] = type
            damaged.head = ServerResponseHead(changed)
        }
        damaged.body = response.body.map { .stream(FaultyBody($0.source, fault, silence: nil, metadata)) }
        return damaged
    }
}

extension GatewayError {
    static let faultNotForThisKey = GatewayError.invalidRequest(
        403,
        "This key may not request faults: 'x-headgate-fault' needs a key with 'admin: true' in the configuration. "
            + "Without that header the request is handled as usual.",
        code: "admin_key_needed", cause: .notAllowed)

    static func unclearFault(_ problem: String) -> GatewayError {
        .invalidRequest(
            400, "The header 'x-headgate-fault' is invalid: \(problem).", code: "invalid_value",
            parameter: "x-headgate-fault")
    }
}

extension Capability {
    static func faults(_ configuration: FaultInjectionConfiguration) -> Capability {
        let rules = configuration.isEnabled ? FaultRules(configuration.rules) : nil
        return Capability(
            name: "fault_injection",
            perRequest: { context, _ in
                rules.map { FaultyResponseMiddleware($0, isOpenToAll: context.relay.hasOneCaller) }
            },
            perAttempt: { upstream, timeouts in
                rules.map { FaultInjectionMiddleware($0, for: upstream.configuration, timeouts) }
            })
    }
}
