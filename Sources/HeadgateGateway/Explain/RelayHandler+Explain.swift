internal import HTTPTypes
internal import HeadgateConfiguration
internal import HeadgateHTTP
internal import HeadgateRelay

extension RelayHandler {
    /// Explains how a request would be handled now, without side effects.
    ///
    /// - Throws: the error that the request itself would be refused with before anything is sent.
    func explanation(
        _ question: ExplanationQuestion, hiding definitions: [UpstreamDefinition]
    ) throws(GatewayError) -> Explanation {
        let (envelope, route) = (question.envelope, question.route)
        let selection = selection(
            of: envelope, question.fields, caller: question.caller, group: question.group, on: route)
        let key = selection.affinity
        let order = order(of: route, for: envelope, selection, at: question.now)
        guard !order.isEmpty else { throw untaken(envelope.model, on: route) }
        let others = route.targets.indices.filter { !order.contains($0) }
            .filter { !takes(route.targets[$0]) || !selection.includes($0) }
        let situations = (order + others).map { index in
            TargetSituation(
                route.targets[index], of: operation, model: envelope.model, takes: takes(route.targets[index]),
                isMeant: selection.includes(index) || order.contains(index), isAlone: route.targets.count == 1,
                at: question.now)
        }
        // Targets before this one are skipped without a request.
        let first =
            order.indices.first { !situations[$0].isSkipped } ?? order.indices.first { situations[$0].isLastResort }
            ?? 0
        let target = route.targets[order[first]]
        let mask = SecretMask(definitions, client: question.fields)
        let sent = try SentRequest(envelope, to: target, by: self)
        return Explanation(
            operation: operation, model: envelope.model, matched: models.match(of: envelope.model) ?? envelope.model,
            route: route, hasAffinityKey: route.affinity == nil ? nil : key != nil,
            hedge: ExplainedHedge(route, envelope, of: operation, order: order, at: question.now),
            isRandom: order.count > 1 && isRandom(route, key),
            situations: situations, rules: sent.rules,
            request: ExplainedRequest(
                to: target.upstream,
                head(
                    to: target.upstream, isStream: sent.isStream, model: target.model ?? envelope.model,
                    of: question.fields, caller: question.caller
                ).request,
                body: sent.body, isStream: sent.isStream, mask), mask: mask)
    }

    /// Returns whether the next request might try the targets in another order.
    private func isRandom(_ route: ModelRoute, _ affinity: UInt64?) -> Bool {
        guard affinity == nil else { return false }
        switch route.choice {
        case .first: return false
        case .weighted, .leastBusy, .fastest: return true
        }
    }
}
