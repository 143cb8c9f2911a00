internal import HeadgateContract
internal import HeadgateHTTP
internal import HeadgatePrices
internal import HeadgatePrimitives
internal import HeadgateRelay

/// Middleware that counts requests against the limits of their models, and reserves their estimated use. It adds rate
/// limit headers to responses.
struct LimitMiddleware: RelayMiddleware {
    let policy: LimitPolicy
    /// Pricing of requests; nil if nothing has a price.
    let pricing: RequestPricing?
    /// Whether any model has limits.
    let limitsModels: Bool

    func intercept(
        _ request: RelayRequest, next: RelayNext, completion: @escaping RequestHandler.Completion
    ) -> (any Cancellable)? {
        let record = request.metadata.record
        // The lease of a request that has already ended would never be settled.
        guard !record.isComplete, record.lease != nil || limitsModels || policy.shared != nil else {
            return next(request, completion: completion)
        }
        if let shared = policy.shared { return ask(shared, request, next, completion) }
        let countsCost = record.limitLease?.countsCost ?? false
        var countsTokens = record.lease?.countsTokens ?? false
        var route: ModelRoute?
        if limitsModels || countsCost {
            // A later handler refuses a request without a route.
            guard let found = next.route(of: request), record.lease != nil || found.limits != nil else {
                return next(request, completion: completion)
            }
            route = found
            if found.limits?.countsTokens == true { countsTokens = true }
        } else if countsTokens {
            // The route's maximum output bounds the reserve.
            route = next.route(of: request)
        }
        let realtime = next.realtime
        do throws(GatewayError) {
            let lease = try policy.reserve(
                countsTokens ? try need(of: request, next, on: route, countsCost: countsCost) : .none,
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

    /// Counts all limits of a request in one step in the shared store, once its body is read.
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
        do throws(GatewayError) {
            let need =
                rules.contains(where: \.countsTokens)
                ? try need(of: request, next, on: route, countsCost: countsCost) : .none
            let take = SharedTake(
                rules.map { LimitClaim($0, needing: need) }, policy, shared, request, next: next,
                completion: completion)
            take.start()
            return take
        } catch {
            completion(.failure(error))
            return nil
        }
    }

    /// - Throws: ``GatewayError`` if the request has an unknown price and its key allows only known ones.
    private func need(
        of request: RelayRequest, _ next: RelayNext, on route: ModelRoute?, countsCost: Bool
    ) throws(GatewayError) -> LimitNeed {
        let (envelope, caller) = (request.envelope, request.metadata.caller)
        let reserve = TokenReserve(envelope, next.tokenUse, most: route?.maximumOutput)
        guard let route, countsCost else { return LimitNeed(reserve: reserve) }
        let model = envelope.model
        if caller.refusesUnpriced, reserve.input > 0 || reserve.output > 0,
            pricing?.isPriced(route, model, envelope.tier) != true
        {
            throw .unpriced(model, tier: envelope.tier)
        }
        guard let pricing else { return LimitNeed(reserve: reserve) }
        let most = pricing.estimate(reserve, on: route, of: model, in: route.tiers(of: envelope, for: caller))
        return LimitNeed(reserve: reserve, cost: most.all, outputCost: most.output)
    }
}

extension GatewayError {
    fileprivate static func unpriced(_ model: String, tier: ServiceTier?) -> GatewayError {
        let shown = ShownName.text(model)
        let tier = tier.map { $0 == .standard ? "" : " in the service tier '\($0.rawValue)'" } ?? ""
        return .invalidRequest(
            403,
            "The price of the model '\(shown)'\(tier) is unknown, and this key has a budget in USD with "
                + "'unpriced: refuse'. Use a model that 'headgate prices' lists, or add a price to the gateway's file.",
            code: "model_unpriced", parameter: "model", cause: .notAllowed)
    }
}

extension Capability {
    static func limits(_ policy: LimitPolicy) -> Capability {
        Capability(
            name: "limits",
            gate: { context, operation in
                let limitsCallers = context.relay.keys.areLimited || policy.overall != nil
                let isCounted =
                    operation.id == PassthroughHandler.operationID
                    || RelayOperation.all.contains { $0.id == operation.id }
                guard limitsCallers, isCounted else { return nil }
                return LimitGate(policy: policy, realtime: context.realtime)
            },
            perRequest: { context, _ in
                let relay = context.relay
                let limitsModels = relay.models.routes.contains { $0.route.limits != nil }
                guard relay.keys.areLimited || policy.overall != nil || limitsModels else { return nil }
                return LimitMiddleware(policy: policy, pricing: relay.pricing, limitsModels: limitsModels)
            },
            readiness: { output in
                guard let counters = policy.shared else { return }
                output.append("counters") { $0.append("working", counters.isWorking) }
            },
            metrics: { context, _ in
                let budgets = BudgetOverview(context.relay.keys, policy)
                return counterFamilies(policy.shared)
                    + [BudgetFamily(budgets: budgets, realtime: context.realtime).family]
            })
    }

    private static func counterFamilies(_ counters: SharedLimits?) -> [MetricFamily] {
        guard let counters else { return [] }
        return [
            MetricFamily(
                "headgate_counters_up", .gauge, help: "Whether the shared counters of several gateways respond.",
                value: .count(counters.isWorking ? 1 : 0)),
            MetricFamily(
                "headgate_counters_alone", .counter,
                help: "Requests that this gateway counted alone because the shared counters did not respond.",
                value: .count(counters.countedAlone)),
        ]
    }
}

/// Metric family of the configured budgets' use.
private struct BudgetFamily: Sendable {
    let budgets: BudgetOverview
    /// Nanoseconds since 1970.
    let realtime: @Sendable () -> Int64

    var family: MetricFamily {
        var family = MetricFamily(
            "headgate_budget_used_ratio", .gauge,
            help: "The part of a budget that is used in its hour, day, week or month; above 1 where it was exceeded.")
        for use in budgets.uses(at: realtime() / 1_000_000_000) {
            guard let share = use.share else { continue }
            let labels = [MetricLabel("kind", use.subject.kind.rawValue), MetricLabel("name", use.subject.name)]
            family.add(.number(share), labels)
        }
        return family
    }
}
