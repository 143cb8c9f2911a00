internal import HeadgateHTTP

/// Request of an attempt while the upstream can still refuse it, and the repairs made after refusals.
struct SentAttempt {
    /// Request to repair after a refusal; nil if refusals are not repaired, or are no longer possible.
    var request: (head: OutgoingHead, body: [UInt8])?
    /// Repairs made so far, each at most once.
    var repairs: Repairs = []
    /// Repairs that also apply to later requests for the model, once the upstream has accepted this one.
    var lasting: Repairs = []

    /// Releases the request, which is no longer needed.
    ///
    /// - Returns: the repairs to remember.
    @inline(__always)
    mutating func release() -> Repairs {
        request = nil
        return lasting
    }
}

extension RelayAttempt {
    /// Sends the request again without the part that the upstream has refused, if that part is known. This does not
    /// count as another attempt: the target works, and refuses the same part each time.
    ///
    /// - Returns: false if the refusal cannot be repaired and must be reported.
    @inline(never)
    func mend(_ head: ResponseHead, _ report: [UInt8]) -> Bool {
        let operation = handler.operation.outgoing(to: upstream)
        guard let sent = sent.request,
            let request = RefusedRequest(
                sent.body, of: operation, besides: self.sent.repairs.union(upstream.repairs.excluded))
        else { return false }
        let (refusal, status) = (UpstreamRefusal(report), head.status)
        work(on: sent.body.count, metadata) {
            request.remedy(after: refusal, status: status)
        } then: { [self] result in
            switch result {
            case .success(let remedy?): follow(remedy, refusal, sent, operation)
            case .success(nil): self.report(.error, head, report)
            case .failure(let error): fail(error)
            }
        }
        return true
    }

    private func follow(
        _ remedy: RefusedRequest.Remedy, _ refusal: UpstreamRefusal, _ refused: (head: OutgoingHead, body: [UInt8]),
        _ operation: RelayOperation
    ) {
        switch remedy {
        case .estimate:
            note(.countTokens)
            upstream.repairs.remember(Repairs(.countTokens), of: operation, target.name(of: model))
            sent.request = nil
            estimateTokens(of: refused.body)
        case .noRoute:
            sent.request = nil
            fail(GatewayError.compactionNotSupported(by: upstream.name, model: model))
        case .body(let body, let repair):
            note(repair)
            sent.repairs.insert(repair)
            if !refusal.isConditional { sent.lasting.insert(repair) }
            sent.request = (refused.head, body)
            if KnownRefusal.removes(repair), repair != .streamOptions || asksUsage { dropped.append(repair.rawValue) }
            send(UpstreamRequest(refused.head, body: body, operationID: operation.id))
        }
    }

    private func note(_ repair: Repair) {
        upstream.repairs.count(repair)
        let before = metadata.record.facts.notes[.repairs].map { "\($0)," } ?? ""
        metadata.record.facts.notes[.repairs] = before + repair.rawValue
    }

    /// Remembers the repairs of a request that the upstream has accepted.
    @inline(never)
    func remember(_ repairs: Repairs) {
        upstream.repairs.remember(
            repairs, of: handler.operation.outgoing(to: upstream), target.name(of: model))
    }
}
