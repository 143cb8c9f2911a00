internal import HTTPTypes
internal import HeadgateConfiguration
internal import HeadgateFaults
internal import HeadgateHTTP
internal import HeadgateRelay

/// Middleware that injects faults into the responses of one upstream, as rules and requests specify.
struct FaultInjectionMiddleware: UpstreamMiddleware {
    private let rules: FaultRules
    private let kind: UpstreamKind
    private let timeouts: UpstreamTimeouts

    init(_ rules: FaultRules, for upstream: UpstreamConfiguration, _ timeouts: UpstreamTimeouts) {
        self.rules = rules.from(upstream: upstream.name)
        kind = upstream.kind
        self.timeouts = timeouts
    }

    func intercept(
        _ request: UpstreamRequest, next: UpstreamNext, completion: @escaping UpstreamCompletion
    ) -> (any Cancellable)? {
        guard let metadata = next.metadata, let fault = fault(for: metadata) else {
            return next(request, completion: completion)
        }
        metadata.record.facts.noteInjected(fault)
        let call = PendingCall()
        let limit = max(timeouts.firstByte, .nanoseconds(Int64(clamping: request.patience)))
        delay(fault, call, metadata, limit: limit) { result in
            if case .failure(let error) = result { return completion(.failure(error)) }
            if let early = response(in: fault) { return completion(early) }
            call.wait {
                next(request) { result in
                    call.stepEnded()
                    completion(result.map { damaged($0, by: fault, metadata) })
                }
            }
        }
        return call
    }

    private func fault(for metadata: ServerRequestMetadata) -> Fault? {
        if let asked = metadata.record.facts.notes[.requestedFault] { return try? Fault(parsing: asked) }
        return rules.fault(model: metadata.record.facts.model ?? "", key: metadata.caller.name)
    }

    /// Waits for the fault's delay, and fails with a response timeout if the delay reaches the limit.
    private func delay(
        _ fault: Fault, _ call: PendingCall, _ metadata: ServerRequestMetadata, limit: Duration,
        then goOn: @escaping (Result<Void, TransportError>) -> Void
    ) {
        guard let delay = fault.headDelay else { return goOn(.success(())) }
        call.pause(min(delay, limit), metadata) { result in
            guard case .success = result else { return goOn(.failure(TransportError(.cancelled))) }
            guard delay < limit else {
                return goOn(.failure(TransportError(.responseTimeout, "fault injected")))
            }
            goOn(.success(()))
        }
    }

    /// Returns the response that replaces the upstream's; nil if the upstream's is needed.
    private func response(in fault: Fault) -> Result<UpstreamResponse, TransportError>? {
        if fault.isResetBeforeHead { return .failure(TransportError(.closedBeforeResponse, "fault injected")) }
        guard let status = fault.isErrorIn200 ? 200 : fault.status else { return nil }
        var head = HTTPResponse(status: .init(code: status), headerFields: [.contentType: "application/json"])
        if let seconds = fault.retryAfter { head.headerFields[.retryAfter] = "\(seconds)" }
        let document = Fault.error(isAnthropic: kind == .anthropic, by: "'fault_injection' of the gateway")
        return .success(
            UpstreamResponse(ResponseHead(head), .bytes(document), receivedStatus: status))
    }

    private func damaged(
        _ response: UpstreamResponse, by fault: Fault, _ metadata: ServerRequestMetadata
    ) -> UpstreamResponse {
        var head = response.head
        if let type = fault.contentType {
            var changed = head.response
            changed.headerFields[.contentType] = type
            head = ResponseHead(changed)
        }
        let body = response.body.map { body in
            HTTPBody.stream(FaultyBody(body.source, fault, silence: timeouts.silence, metadata))
        }
        return UpstreamResponse(head, body, receivedStatus: response.receivedStatus)
    }
}

extension Outcome {
    /// Adds a fault to the notes, next to those of earlier attempts.
    mutating func noteInjected(_ fault: Fault) {
        notes[.injectedFault] = notes[.injectedFault].map { "\($0), \(fault)" } ?? "\(fault)"
    }
}
