internal import HeadgatePrimitives

extension LiteLLMReader {
    private static let maximumTargets = 16

    /// Returns a model with its targets: its own deployments, and then those of its fallbacks.
    mutating func model(
        _ group: LiteLLMGroup, among groups: [LiteLLMGroup], _ routing: LiteLLMRouting,
        _ configuration: inout ImportedConfiguration
    ) -> ImportedModel {
        let own = ordered(group)
        let others = fallbacks(of: group, among: groups, routing)
        var model = ImportedModel(name: group.name)
        let shares = shares(of: own, group.name)
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
                "model \(quoted(group.name)): all targets after the first \(LiteLLMReader.maximumTargets): give "
                    + "some of them another name",
                group.deployments[0].position)
            model.targets.removeLast(model.targets.count - LiteLLMReader.maximumTargets)
        }
        choose(&model, own, hasFallbacks: !others.isEmpty, routing, at: group.deployments[0].position)
        readLimits(of: own, into: &model, routing)
        return model
    }

    private func ordered(_ group: LiteLLMGroup) -> [LiteLLMDeployment] {
        group.deployments.enumerated().sorted { left, right in
            let (one, other) = (left.element.numbers[.order], right.element.numbers[.order])
            return (one ?? .infinity, left.offset) < (other ?? .infinity, right.offset)
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
                note(
                    "fallback of \(quoted(group.name)): there is no model \(quoted(name)); name one that there is",
                    position)
                continue
            }
            // A pattern's upstream would receive the name of the first model.
            result += ordered(other).filter { $0.model != nil }
            if other.deployments.contains(where: { $0.model == nil }) {
                note(
                    "fallback of \(quoted(group.name)): \(quoted(name)) is a pattern and no model; name a model",
                    position)
            }
            let own: Set<LiteLLMNumber> = [.requests, .tokens, .inFlight, .timeout, .streamTimeout]
            let members = LiteLLMNumber.allCases.filter { number in
                own.contains(number) && other.deployments.contains { $0.numbers[number] != nil }
            }
            if !members.isEmpty {
                note(
                    "fallback of \(quoted(group.name)): \(members.map(\.rawValue).joined(separator: ", ")) of "
                        + "\(quoted(name)) hold for requests for that name alone: limit the clients' keys for both",
                    position)
            }
        }
        return result
    }

    /// Returns the weights of deployments, by the first of weight, rpm and tpm that any of them has.
    private mutating func shares(of deployments: [LiteLLMDeployment], _ name: String) -> [Int] {
        let kinds: [LiteLLMNumber] = [.weight, .requests, .tokens]
        guard let kind = kinds.first(where: { kind in deployments.contains { $0.numbers[kind] != nil } }) else {
            return deployments.map { _ in 1 }
        }
        if deployments.count > 1, let without = deployments.first(where: { $0.numbers[kind] == nil }) {
            note(
                "model \(quoted(name)): a deployment without the \(kind.rawValue) that others have gets the least "
                    + "share: write its weight",
                without.position)
        }
        let shares = deployments.map { $0.numbers[kind] ?? 0 }
        let largest = shares.max() ?? 0
        guard largest > 0 else { return deployments.map { _ in 1 } }
        let isWhole = largest <= 1000 && shares.allSatisfy { $0 == $0.rounded() }
        // The division comes first, because a thousand times the largest number is not finite.
        let whole = shares.map { max(1, Int((isWhole ? $0 : $0 / largest * 1000).rounded())) }
        let divisor = whole.reduce(0, greatestCommonDivisor)
        return whole.map { $0 / max(1, divisor) }
    }

    private mutating func choose(
        _ model: inout ImportedModel, _ own: [LiteLLMDeployment], hasFallbacks: Bool, _ routing: LiteLLMRouting,
        at position: SourcePosition
    ) {
        let retries = same(.retries, of: own, model.name, or: routing.retries.map(Double.init)).map { Int($0) }
        if let retries, retries > 9 {
            note("model \(quoted(model.name)): retries after the ninth: a request is sent 10 times at most", position)
        }
        let needed = model.targets.count
        if retries != nil || needed > 2 {
            let attempts = min(10, max((retries ?? 0) + 1, hasFallbacks || needed > 1 ? needed : 1))
            if attempts != (needed > 1 ? 2 : 1) { model.attempts = attempts }
        }
        guard needed > 1 else { return }
        let orders = Set(own.map { $0.numbers[.order] ?? .infinity })
        guard own.count > 1, orders.count < own.count else { return }
        guard !hasFallbacks, orders.count == 1 else {
            note(
                "model \(quoted(model.name)): the sharing of requests among its deployments; with fallbacks after them "
                    + "they are tried in order: look whether the order is right",
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
        model.requestsPerMinute = sum(.requests, of: own, model.name)
        model.tokensPerMinute = sum(.tokens, of: own, model.name)
        model.inFlight = sum(.inFlight, of: own, model.name)
        model.firstByte = same(.timeout, of: own, model.name, or: routing.timeout)
        model.firstContent = same(.streamTimeout, of: own, model.name, or: routing.streamTimeout)
        guard let defaults = own.first?.defaults else { return }
        if own.allSatisfy({ $0.defaults == defaults }) {
            model.defaults = defaults
        } else {
            note(
                "model \(quoted(model.name)): parameters of requests that differ between its deployments: write those "
                    + "that all shall have under parameters: {defaults}",
                own[0].position)
        }
    }

    /// Returns the sum of the deployments' limits; nil unless all have one, because a deployment without a limit has no
    /// upper bound.
    private mutating func sum(_ number: LiteLLMNumber, of own: [LiteLLMDeployment], _ name: String) -> Int? {
        let values = own.compactMap { $0.numbers[number].map { Int($0) } }
        guard values.count < own.count else { return values.reduce(0, +) }
        if let limited = own.first(where: { $0.numbers[number] != nil }) {
            note(
                "model \(quoted(name)): \(number.rawValue), which not all of its deployments have; a limit holds for "
                    + "the model as a whole here: write limits: with the sum",
                limited.position)
        }
        return nil
    }

    /// Returns the largest number of the deployments, or the general one.
    private mutating func same(
        _ number: LiteLLMNumber, of own: [LiteLLMDeployment], _ name: String, or general: Double?
    ) -> Double? {
        let values = own.map { $0.numbers[number] ?? general }
        let largest = values.compactMap(\.self).max()
        if let other = zip(own, values).first(where: { $1 != largest })?.0 {
            note(
                "model \(quoted(name)): \(number.rawValue), which differs between its deployments; the largest one "
                    + "holds for all of them: look whether it may",
                other.position)
        }
        return largest
    }
}

private func greatestCommonDivisor(_ one: Int, _ other: Int) -> Int {
    other == 0 ? one : greatestCommonDivisor(other, one % other)
}
