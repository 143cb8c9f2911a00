internal import HeadgatePrimitives

extension LiteLLMReader {
    private static let maximumTargets = 16

    /// A model with its targets: its own deployments, then those that it falls back to.
    mutating func model(
        _ group: LiteLLMGroup, among groups: [LiteLLMGroup], _ routing: LiteLLMRouting,
        _ configuration: inout ImportedConfiguration
    ) -> ImportedModel {
        let own = ordered(group)
        let others = fallbacks(of: group, among: groups, routing)
        var model = ImportedModel(name: group.name)
        let shares = shares(of: own)
        for (index, deployment) in (own + others).enumerated() {
            var target = ImportedModel.Target(
                upstream: configuration.place(of: deployment.upstream), model: deployment.model)
            if target.model?.isExactly(group.name) == true { target.model = nil }
            if let place = model.targets.firstIndex(where: { $0.isSame(as: target) }) {
                if index < own.count { model.targets[place].weight += shares[index] }
                continue
            }
            target.weight = index < own.count ? shares[index] : 1
            model.targets.append(target)
        }
        if model.targets.count > LiteLLMReader.maximumTargets {
            note(
                "model \(quoted(group.name)): all targets after the first \(LiteLLMReader.maximumTargets)",
                group.deployments[0].position)
            model.targets.removeLast(model.targets.count - LiteLLMReader.maximumTargets)
        }
        choose(&model, own, hasFallbacks: !others.isEmpty, routing, at: group.deployments[0].position)
        readLimits(of: own, into: &model, routing)
        return model
    }

    private func ordered(_ group: LiteLLMGroup) -> [LiteLLMDeployment] {
        group.deployments.enumerated().sorted { left, right in
            (left.element.order ?? .max, left.offset) < (right.element.order ?? .max, right.offset)
        }.map(\.element)
    }

    private mutating func fallbacks(
        of group: LiteLLMGroup, among groups: [LiteLLMGroup], _ routing: LiteLLMRouting
    ) -> [LiteLLMDeployment] {
        let named = routing.fallbacks[ExactText(group.name)]
        let isDefault = routing.defaultFallbacks.contains { $0.name.isExactly(group.name) }
        var result: [LiteLLMDeployment] = []
        for (name, position) in named ?? (isDefault ? [] : routing.defaultFallbacks) where !name.isExactly(group.name) {
            guard let other = groups.first(where: { $0.name.isExactly(name) }) else {
                note("fallback of \(quoted(group.name)): there is no model \(quoted(name))", position)
                continue
            }
            // A pattern's upstream would be sent the name of the first model.
            result += ordered(other).filter { $0.model != nil }
            if other.deployments.contains(where: { $0.model == nil }) {
                note("fallback of \(quoted(group.name)): \(quoted(name)) is a pattern and no model", position)
            }
        }
        return result
    }

    /// How the deployments share the requests, by the first of weight, rpm and tpm that one of them has.
    private func shares(of deployments: [LiteLLMDeployment]) -> [Int] {
        let kinds: [(LiteLLMDeployment) -> Double?] = [
            \.weight, { $0.requestsPerMinute.map(Double.init) }, { $0.tokensPerMinute.map(Double.init) },
        ]
        guard let kind = kinds.first(where: { kind in deployments.contains { kind($0) != nil } }) else {
            return deployments.map { _ in 1 }
        }
        let shares = deployments.map { kind($0) ?? 0 }
        let largest = shares.max() ?? 0
        guard largest > 0 else { return deployments.map { _ in 1 } }
        let isWhole = largest <= 1000 && shares.allSatisfy { $0 == $0.rounded() }
        // Divided first: the largest number times a thousand is none any more.
        let whole = shares.map { max(1, Int((isWhole ? $0 : $0 / largest * 1000).rounded())) }
        let divisor = whole.reduce(0, greatestCommonDivisor)
        return whole.map { $0 / max(1, divisor) }
    }

    private mutating func choose(
        _ model: inout ImportedModel, _ own: [LiteLLMDeployment], hasFallbacks: Bool, _ routing: LiteLLMRouting,
        at position: SourcePosition
    ) {
        let retries = own.lazy.compactMap(\.retries).first ?? routing.retries
        let needed = model.targets.count
        if retries != nil || needed > 2 {
            let attempts = min(10, max((retries ?? 0) + 1, hasFallbacks || needed > 1 ? needed : 1))
            if attempts != (needed > 1 ? 2 : 1) { model.attempts = attempts }
        }
        guard needed > 1 else { return }
        let orders = Set(own.map { $0.order ?? .max })
        guard own.count > 1, orders.count < own.count else { return }
        guard !hasFallbacks, orders.count == 1 else {
            note(
                "model \(quoted(model.name)): the sharing of requests among its deployments; with fallbacks after them "
                    + "they are tried in order",
                position)
            return
        }
        switch routing.strategy {
        case .shuffle: model.choice = .weighted
        case .leastBusy: model.choice = .leastBusy
        case .fastest: model.choice = .fastest
        }
    }

    private mutating func readLimits(
        of own: [LiteLLMDeployment], into model: inout ImportedModel, _ routing: LiteLLMRouting
    ) {
        /// Nil unless all have one: without it, one of them takes any number.
        func sum(_ value: (LiteLLMDeployment) -> Int?) -> Int? {
            let values = own.compactMap(value).filter { (1...1_000_000_000).contains($0) }
            return values.count == own.count ? values.reduce(0, +) : nil
        }
        model.requestsPerMinute = sum(\.requestsPerMinute)
        model.tokensPerMinute = sum(\.tokensPerMinute)
        model.inFlight = sum(\.inFlight)
        model.firstByte = own.compactMap(\.timeout).max() ?? routing.timeout
        model.firstContent = own.compactMap(\.streamTimeout).max() ?? routing.streamTimeout
        guard let defaults = own.first?.defaults else { return }
        if own.allSatisfy({ $0.defaults == defaults }) {
            model.defaults = defaults
        } else {
            note(
                "model \(quoted(model.name)): parameters of requests that differ between its deployments",
                own[0].position)
        }
    }
}

private func greatestCommonDivisor(_ one: Int, _ other: Int) -> Int {
    other == 0 ? one : greatestCommonDivisor(other, one % other)
}
