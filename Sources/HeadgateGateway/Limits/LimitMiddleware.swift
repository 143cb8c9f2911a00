internal import HTTPTypes
internal import HeadgateHTTP

/// Counts requests against the limits of their models, and reserves what they will probably use. Responses say what is
/// left.
struct LimitMiddleware: RelayMiddleware {
    let policy: LimitPolicy
    /// Nil where nothing has a price.
    let pricing: RequestPricing?

    func intercept(
        _ request: RelayRequest, next: RelayNext, completion: @escaping RequestHandler.Completion
    ) -> (any Cancellable)? {
        let (record, ofCaller) = (request.metadata.record, policy.limits(of: request.metadata.caller))
        // What is over already would never be settled; what has no route is refused by what follows.
        guard !record.isComplete, let route = next.route(of: request), !ofCaller.isEmpty || route.limits != nil else {
            return next(request, completion: completion)
        }
        do throws(GatewayError) {
            let fields = try policy.take(
                claims(of: request, on: route, ofCaller), for: record, realtime: next.realtime, counted: ofCaller)
            return next(request) { result in
                completion(result.map { LimitFields.added(fields, to: $0) })
            }
        } catch {
            completion(.failure(error))
            return nil
        }
    }

    private func claims(of request: RelayRequest, on route: ModelRoute, _ ofCaller: [LimitRules]) -> [LimitClaim] {
        let facts = request.metadata.record
        let reserve =
            facts.facts.usesTokens
            ? TokenReserve(octets: request.envelope.size, hasText: !facts.facts.hasNoCompletion) : .none
        var (cost, outputCost) = (0, 0)
        if ofCaller.contains(where: { $0.budget?.unit == .picodollars }) {
            let model = request.envelope.model
            cost = pricing?.estimate(reserve, on: route, of: model) ?? 0
            outputCost = pricing?.estimate(.oneOutput, on: route, of: model) ?? 0
        }
        // A request of its key is counted before its body is read.
        var claims = ofCaller.map {
            LimitClaim(rules: $0, isCounted: false, reserve: reserve, cost: cost, outputCost: outputCost)
        }
        if let limits = route.limits { claims.append(LimitClaim(rules: limits, isCounted: true, reserve: reserve)) }
        return claims
    }
}
