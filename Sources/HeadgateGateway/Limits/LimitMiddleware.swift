internal import HeadgateContract
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
        guard !record.isComplete, record.lease != nil || limitsModels || policy.shared != nil else {
            return next(request, completion: completion)
        }
        if let shared = policy.shared { return ask(shared, request, next, completion) }
        let countsCost = record.lease?.countsCost ?? false
        var countsTokens = record.lease?.countsTokens ?? false
        var route: ModelRoute?
        if limitsModels || countsCost {
            // What has no route is refused by what follows.
            guard let found = next.route(of: request), record.lease != nil || found.limits != nil else {
                return next(request, completion: completion)
            }
            route = found
            if found.limits?.countsTokens == true { countsTokens = true }
        } else if countsTokens {
            // Its maximum output bounds the reserve.
            route = next.route(of: request)
        }
        let realtime = next.realtime
        do throws(GatewayError) {
            let lease = try policy.reserve(
                countsTokens ? need(of: request, next, on: route, countsCost: countsCost) : .none,
                ofModel: route?.limits, for: record,
                realtime: realtime)
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

    /// Everything is counted in one step, once the request is read.
    private func ask(
        _ shared: SharedLimits, _ request: RelayRequest, _ next: RelayNext,
        _ completion: @escaping RequestHandler.Completion
    ) -> (any Cancellable)? {
        var rules = policy.rules(of: request.metadata.caller)
        guard let route = next.route(of: request), !rules.isEmpty || route.limits != nil else {
            return next(request, completion: completion)
        }
        let countsCost = rules.contains(where: \.countsCost)
        if let limits = route.limits { rules.append(limits) }
        let need =
            rules.contains(where: \.countsTokens)
            ? need(of: request, next, on: route, countsCost: countsCost) : .none
        let take = SharedTake(
            rules.map { LimitClaim($0, needing: need) }, policy, shared, request, next: next, completion: completion)
        take.start()
        return take
    }

    private func need(
        of request: RelayRequest, _ next: RelayNext, on route: ModelRoute?, countsCost: Bool
    ) -> LimitNeed {
        let reserve = TokenReserve(request.envelope, next.tokenUse, most: route?.maximumOutput)
        guard let route, let pricing, countsCost else {
            return LimitNeed(reserve: reserve)
        }
        let model = request.envelope.model
        return LimitNeed(
            reserve: reserve, cost: pricing.estimate(reserve, on: route, of: model),
            outputCost: pricing.estimate(.oneOutput, on: route, of: model))
    }
}

extension Capability {
    static let limits = Capability(
        name: "limits",
        gate: { gateway, operation in
            guard gateway.snapshot.limitsCallers, RelayOperation.all.contains(where: { $0.id == operation.id }) else {
                return nil
            }
            return LimitGate(policy: gateway.snapshot.limits, realtime: gateway.realtime)
        },
        perRequest: { gateway, _ in
            let snapshot = gateway.snapshot
            guard snapshot.isLimited else { return nil }
            return LimitMiddleware(
                policy: snapshot.limits, pricing: snapshot.pricing, limitsModels: snapshot.limitsModels)
        })
}
