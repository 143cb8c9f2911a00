internal import HeadgatePrimitives

/// Configuration imported from another gateway's file.
struct ImportedConfiguration {
    var models: [ImportedModel] = []
    private(set) var upstreams: [(name: String, upstream: ImportedUpstream)] = []
    /// Circuit breaker of all upstreams. The cooldown is in seconds.
    let breaker: (failures: Int, cooldown: Double)?
    /// SHA-256 digest of the key that all clients share; nil if there is none.
    var clientKey: String?

    init(breaker: (failures: Int, cooldown: Double)?) { self.breaker = breaker }

    /// Returns the name of an upstream, and adds the upstream if it is new.
    mutating func place(of upstream: ImportedUpstream) -> String {
        if let known = upstreams.first(where: { $0.upstream == upstream }) { return known.name }
        var name = upstream.stem
        var number = 2
        while upstreams.contains(where: { $0.name.isExactly(name) }) {
            name = "\(upstream.stem)-\(number)"
            number += 1
        }
        upstreams.append((name, upstream))
        return name
    }
}

/// Targets of one public name.
struct ImportedModel {
    struct Target {
        let upstream: String
        /// Name of the model at the upstream; nil if it is the public name.
        var model: String?
        var weight = 1

        init(upstream: String, model: String?) {
            (self.upstream, self.model) = (upstream, model)
        }

        func isSame(as other: Target) -> Bool {
            upstream.isExactly(other.upstream) && model.map(ExactText.init) == other.model.map(ExactText.init)
        }
    }

    let name: String
    var targets: [Target] = []
    var choice = TargetChoice.first
    var attempts: Int?
    /// Timeout in seconds.
    var firstByte: Double?
    var firstContent: Double?
    var requestsPerMinute: Int?
    var tokensPerMinute: Int?
    var inFlight: Int?
    var defaults: [String: String] = [:]

    init(name: String) { self.name = name }

    /// Divides the limits of a model that has several names, because the limits of each name are counted separately.
    ///
    /// - Returns: Whether there is any limit.
    mutating func divideLimits(by names: Int) -> Bool {
        func share(_ limit: Int?) -> Int? { limit.map { max(1, $0 / names) } }
        let limits = [requestsPerMinute, tokensPerMinute, inFlight]
        (requestsPerMinute, tokensPerMinute) = (share(requestsPerMinute), share(tokensPerMinute))
        inFlight = share(inFlight)
        return limits.contains { $0 != nil }
    }

    /// Returns the same model under another name.
    func named(_ other: String) -> ImportedModel {
        var model = ImportedModel(name: other)
        model.targets = targets.map { target in
            Target(target, model: target.model ?? name)
        }
        (model.choice, model.attempts, model.firstByte) = (choice, attempts, firstByte)
        (model.firstContent, model.requestsPerMinute, model.tokensPerMinute) = (
            firstContent, requestsPerMinute, tokensPerMinute
        )
        (model.inFlight, model.defaults) = (inFlight, defaults)
        return model
    }
}

extension ImportedModel.Target {
    fileprivate init(_ target: ImportedModel.Target, model: String) {
        self.init(upstream: target.upstream, model: model)
        weight = target.weight
    }
}
