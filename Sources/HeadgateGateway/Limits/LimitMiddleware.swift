internal import HeadgateHTTP

/// Counts requests against the limits of their models, and reserves what they will probably use. Responses say what is
/// left.
struct LimitMiddleware: RelayMiddleware {
    let policy: LimitPolicy
    /// Nil where nothing has a price.
    let pricing: RequestPricing?
    /// Whether some model has limits.
    let limitsModels: Bool

    func intercept(
        _ request: RelayRequest, next: RelayNext, completion: @escaping RequestHandler.Completion
    ) -> (any Cancellable)? {
        let record = request.metadata.record
        // What is over already would never be settled.
        guard !record.isComplete, record.lease != nil || limitsModels else {
            return next(request, completion: completion)
        }
        var route: ModelRoute?
        if limitsModels || record.lease?.countsCost ?? false {
            // What has no route is refused by what follows.
            guard let found = next.route(of: request), record.lease != nil || found.limits != nil else {
                return next(request, completion: completion)
            }
            route = found
        }
        let realtime = next.realtime
        do throws(GatewayError) {
            let lease = try policy.reserve(
                need(of: request, next, on: route), ofModel: route?.limits, for: record, realtime: realtime)
            return next(request) { [policy] result in
                switch result {
                case .success(let response):
                    completion(.success(policy.told(response, of: lease, record.dialect, realtime: realtime)))
                case .failure: completion(result)
                }
            }
        } catch {
            completion(.failure(error))
            return nil
        }
    }

    private func need(of request: RelayRequest, _ next: RelayNext, on route: ModelRoute?) -> LimitNeed {
        let reserve =
            switch next.tokenUse {
            case .none: TokenReserve.none
            case .prompt: TokenReserve(octets: request.envelope.size, hasText: false)
            case .all: TokenReserve(octets: request.envelope.size, hasText: true)
            }
        guard let route, let pricing, request.metadata.record.lease?.countsCost ?? false else {
            return LimitNeed(reserve: reserve)
        }
        let model = request.envelope.model
        return LimitNeed(
            reserve: reserve, cost: pricing.estimate(reserve, on: route, of: model),
            outputCost: pricing.estimate(.oneOutput, on: route, of: model))
    }
}
