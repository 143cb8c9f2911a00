package import HeadgateHTTP

/// What was sent, as long as the upstream may refuse it, and what was done about refusals.
package struct SentAttempt {
    /// Nil where a refusal is not mended, or comes too late.
    package var request: (head: OutgoingHead, body: [UInt8])?
    /// What was refused, and sent otherwise since: each once.
    var repairs: Repairs = []
    /// Of these, what other requests for the model are sent without too, once the upstream has taken this one.
    var lasting: Repairs = []

    /// The request is not needed any more.
    ///
    /// - Returns: what to remember.
    @inline(__always)
    mutating func letGo() -> Repairs {
        request = nil
        return lasting
    }
}

extension RelayAttempt {
    /// Sends the request again without what the upstream has refused, if that is known. This is no attempt of its own:
    /// the target works, and refuses the same each time.
    ///
    /// - Returns: false for a refusal that is the answer.
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

    /// The upstream has taken the request.
    @inline(never)
    func remember(_ repairs: Repairs) {
        upstream.repairs.remember(
            repairs, of: handler.operation.outgoing(to: upstream), target.name(of: model))
    }
}
