internal import HeadgateConfiguration
internal import HeadgateHTTP
package import HeadgatePrices
internal import HeadgatePrimitives

/// Computes the cost of requests from the prices of the models that responded to them.
package final class RequestPricing: Sendable {
    private let models: ModelTable
    private let prices: PriceList

    /// Creates the pricing; nil if no target can have a price.
    package init?(_ prices: PriceList?, models: ModelTable) {
        guard let prices, models.routes.contains(where: { $0.route.targets.contains { $0.price.mayBeKnown } }) else {
            return nil
        }
        self.models = models
        self.prices = prices
    }

    /// Returns the cost of a request; nil if it used nothing because no upstream responded with success.
    package func cost(of outcome: inout Outcome) -> RequestCost? {
        guard let model = outcome.model, outcome.usesTokens else { return nil }
        // Another request paid for the cached response.
        if !outcome.notes.isEmpty, outcome.notes[.cache] == CacheResult.hit.rawValue { return .known(0) }
        guard let status = outcome.upstreamStatus else { return outcome.mayBeAnsweredUnseen ? .unknown : nil }
        guard (200..<300).contains(status) else { return nil }
        guard let price = price(of: model, in: &outcome) else { return .unknown }
        if price.isFree { return .known(0) }
        guard outcome.isUsageComplete, let prompt = outcome.promptTokens else { return .unknown }
        let (usage, completion) = (outcome.notes.usage, outcome.completionTokens ?? 0)
        let cost =
            usage.isPlain
            ? price.cost(
                prompt: prompt, cached: usage.cacheRead ?? 0, written: usage.cacheWritten ?? 0, completion: completion)
            : cost(of: usage, prompt: prompt, completion: completion, model, at: price, in: &outcome)
        return cost.map { .known($0) } ?? .unknown
    }

    /// Returns the cost of a response with its own tier or parts; nil if one of their prices is unknown.
    @inline(never)
    private func cost(
        of usage: UsageDetails, prompt: Int, completion: Int, _ model: String, at price: TokenPrice,
        in outcome: inout Outcome
    ) -> Int? {
        let iterations = usage.iterations
        guard !iterations.isEmpty else {
            return price.price(of: usage.tier)?.cost(of: usage.counts(prompt: prompt, completion: completion))
        }
        // Every call is billed, and the counts of the response might leave some out.
        let upstreamModel = models.target(of: &outcome)?.model ?? model
        var sum = 0
        for call in iterations {
            let isOther = call.model.map { !$0.isExactly(upstreamModel) } ?? false
            guard !call.isUnknown, let own = isOther ? prices.price(of: call.model ?? "") : price,
                let cost = own.price(of: usage.tier)?
                    .cost(of: call.details.counts(prompt: call.prompt, completion: call.completion))
            else { return nil }
            sum = sum.addingCapped(cost)
        }
        return sum
    }

    /// Returns the maximum cost of the reserved tokens, and that of one token of output, in picodollars; 0 if no price
    /// is known. The maximum is that of all targets of a model, and of all tiers that the request can get.
    package func estimate(
        _ reserve: TokenReserve, on route: ModelRoute, of model: String, in tiers: ServiceTiers = .standard
    ) -> (all: Int, output: Int) {
        var most = (all: 0, output: 0)
        func add(_ price: TokenPrice) {
            most.all = max(most.all, RequestPricing.cost(reserve, price))
            most.output = max(most.output, RequestPricing.cost(.oneOutput, price))
        }
        for index in route.targets.indices {
            guard let standard = price(of: model, at: route.targets[index]) else { continue }
            add(standard)
            guard let special = standard.special, tiers != .standard else { continue }
            for (tier, price) in special.tiers where tiers.contains(ServiceTiers(tier)) { add(price) }
        }
        return most
    }

    private static func cost(_ reserve: TokenReserve, _ price: TokenPrice) -> Int {
        // The price of a longer prompt can be unknown, but is not lower than this.
        price.cost(prompt: reserve.input, completion: reserve.output)
            ?? price.cost(prompt: min(reserve.input, price.longestPrompt ?? reserve.input), completion: reserve.output)
            ?? LedgerEntry.largestCost
    }

    /// Returns whether every target of a model has a known price for the tier that a request selects.
    package func isPriced(_ route: ModelRoute, _ model: String, _ tier: ServiceTier?) -> Bool {
        route.targets.allSatisfy { price(of: model, at: $0)?.price(of: tier ?? .standard) != nil }
    }

    /// Returns the price of a model's tokens at one of its targets; nil if it is unknown.
    package func price(of model: String, at target: ModelTarget) -> TokenPrice? {
        switch target.price {
        case .fixed(let price): price
        case .byName: prices.price(of: model)
        }
    }

    private func price(of model: String, in outcome: inout Outcome) -> TokenPrice? {
        models.target(of: &outcome).flatMap { price(of: model, at: $0) }
    }
}

extension Outcome {
    /// Whether the request uses a model. Requests that only count the tokens of a prompt do not.
    package var usesTokens: Bool { !isExplanation && !RelayOperation.countsTokens(operation) }

    /// Whether an upstream might have processed the request although its response was not awaited: the client
    /// disconnected, the request timed out, or the gateway shut down.
    package var mayBeAnsweredUnseen: Bool { upstream != nil && [.clientGone, .timedOut, .drained].contains(end) }

    /// Whether the total token usage is known.
    package var isUsageComplete: Bool {
        promptTokens != nil && (completionTokens != nil || hasNoCompletion)
            // The usage of a response that is not a stream is unknown until the response is complete.
            && (end == .finished || finishReason != nil || !isStream) && !isUncleanEnd
    }

    /// Whether the response is not text, so that it has no completion tokens.
    package var hasNoCompletion: Bool { TokenUse(ofOperation: operation) == .prompt }
}

extension ModelTable {
    /// Returns the target that responded to a request, or the last one that was tried.
    package func target(of outcome: inout Outcome) -> ModelTarget? {
        guard let model = outcome.model, let route = route(of: model) else { return nil }
        if let single = route.single { return single }
        guard let upstream = outcome.upstream else { return nil }
        let targets = route.targets.filter { $0.upstream.name.isExactly(upstream) }
        guard targets.count > 1 else { return targets.first }
        // Of several targets at one upstream, the one that responded.
        let answered = outcome.attempts.last { $0.error == nil && $0.upstream.isExactly(upstream) }
        return targets.first { $0.model == answered?.model } ?? targets.first
    }
}
