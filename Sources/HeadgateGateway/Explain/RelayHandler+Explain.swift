internal import HTTPTypes
internal import HeadgateConfiguration
internal import HeadgateHTTP

extension RelayHandler {
    /// What would happen to a request now. Changes nothing.
    ///
    /// - Throws: what the request itself would be refused with, before anything is sent.
    func explanation(_ question: ExplanationQuestion) throws(GatewayError) -> Explanation {
        let (envelope, route) = (question.envelope, question.route)
        let key = route.affinity.flatMap {
            affinityKey(of: envelope, question.fields, caller: question.caller, by: $0)
        }
        let order = order(of: route, for: envelope, affinity: key, at: question.now)
        let others = route.targets.indices.filter { !takes(route.targets[$0]) }
        let situations = (order + others).map { index in
            TargetSituation(
                route.targets[index], of: operation, model: envelope.model, takes: takes(route.targets[index]),
                isAlone: route.targets.count == 1, at: question.now)
        }
        // Those before it are skipped without a request.
        let first =
            order.indices.first { !situations[$0].isSkipped } ?? order.indices.first { situations[$0].isLastResort }
            ?? 0
        let target = route.targets[order[first]]
        let mask = SecretMask(definitions, client: question.fields)
        let sent = try SentRequest(envelope, of: operation, to: target, keepsResponses: kept != nil)
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
                    of: question.fields
                ).request,
                body: sent.body, isStream: sent.isStream, mask), mask: mask)
    }

    /// Whether the next request might have another order.
    private func isRandom(_ route: ModelRoute, _ affinity: UInt64?) -> Bool {
        guard affinity == nil else { return false }
        switch route.choice {
        case .first: return false
        case .weighted, .leastBusy, .fastest: return true
        }
    }
}
