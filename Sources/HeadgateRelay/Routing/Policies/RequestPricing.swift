internal import HeadgateConfiguration
internal import HeadgateContract
internal import HeadgateHTTP
package import HeadgatePrices
internal import HeadgatePrimitives

/// What requests cost, by the prices of the models that have answered them.
package final class RequestPricing: Sendable {
    private let models: ModelTable
    private let prices: PriceList

    /// Nil where no target can have a price.
    package init?(_ prices: PriceList?, models: ModelTable) {
        guard let prices, models.routes.contains(where: { $0.route.targets.contains { $0.price.mayBeKnown } }) else {
            return nil
        }
        self.models = models
        self.prices = prices
    }

    /// Nil for a request that has used nothing: no upstream has answered it with success.
    package func cost(of outcome: inout Outcome) -> RequestCost? {
        guard let model = outcome.model, outcome.usesTokens else { return nil }
        // Another request has paid for it.
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

    /// The most that so many tokens cost at a target of a model: picodollars, 0 where no price is known.
    package func estimate(_ reserve: TokenReserve, on route: ModelRoute, of model: String) -> Int {
        var most = 0
        for target in route.targets {
            let price =
                switch target.price {
                case .fixed(let price): price
                case .byName: prices.price(of: model)
                }
            guard let price else { continue }
            // The price of a longer prompt is not known; it is at least this.
            let input = min(reserve.input, price.longestPrompt ?? reserve.input)
            most = max(most, price.cost(prompt: input, completion: reserve.output) ?? LedgerEntry.largestCost)
        }
        return most
    }

    private func price(of model: String, in outcome: inout Outcome) -> TokenPrice? {
        switch models.target(of: &outcome)?.price {
        case .fixed(let price)?: price
        case .byName?: prices.price(of: model)
        case nil: nil
        }
    }
}

extension Outcome {
    /// Whether it is a request that uses a model. Who only asks how many tokens a prompt has uses none.
    package var usesTokens: Bool { !isExplanation && operation != OperationTable.countMessageTokens.id }

    /// Whether an upstream may have worked on it although nobody has waited for its answer: the client has left, it
    /// took too long, or the gateway was shut down.
    package var mayBeAnsweredUnseen: Bool { upstream != nil && [.clientGone, .timedOut, .drained].contains(end) }

    /// Whether it is known how many tokens it took in all.
    package var isUsageComplete: Bool {
        promptTokens != nil && (completionTokens != nil || hasNoCompletion)
            // Of a whole answer nothing is known before all of it has come.
            && (end == .finished || finishReason != nil || !isStream) && !isUncleanEnd
    }

    /// Whether its answer is no text, so that there is nothing to count.
    package var hasNoCompletion: Bool { TokenUse(ofOperation: operation) == .prompt }
}

extension ModelTable {
    /// The target that has answered a request, or was asked last.
    package func target(of outcome: inout Outcome) -> ModelTarget? {
        guard let model = outcome.model, let route = route(of: model) else { return nil }
        if let single = route.single { return single }
        guard let upstream = outcome.upstream else { return nil }
        let targets = route.targets.filter { $0.upstream.name.isExactly(upstream) }
        guard targets.count > 1 else { return targets.first }
        // The one with the response, of those at one upstream.
        let answered = outcome.attempts.last { $0.error == nil && $0.upstream.isExactly(upstream) }
        return targets.first { $0.model == answered?.model } ?? targets.first
    }
}
