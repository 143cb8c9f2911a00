internal import HeadgateConfiguration
internal import HeadgateContract
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
        let cache = outcome.notes.isEmpty ? CacheTokens() : outcome.notes.cache
        let cost = price.cost(
            prompt: prompt, cached: cache.read ?? 0, written: cache.written ?? 0,
            completion: outcome.completionTokens ?? 0)
        return cost.map { .known($0) } ?? .unknown
    }

    /// Returns the maximum cost of the reserved tokens over all targets of a model, in picodollars; 0 if no price is
    /// known.
    package func estimate(_ reserve: TokenReserve, on route: ModelRoute, of model: String) -> Int {
        var most = 0
        for target in route.targets {
            guard let price = price(of: model, at: target) else { continue }
            // The price of a longer prompt is unknown, but not lower than this.
            let input = min(reserve.input, price.longestPrompt ?? reserve.input)
            most = max(most, price.cost(prompt: input, completion: reserve.output) ?? LedgerEntry.largestCost)
        }
        return most
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
    package var usesTokens: Bool { !isExplanation && operation != OperationTable.countMessageTokens.id }

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
