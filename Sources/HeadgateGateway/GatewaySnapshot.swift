package import HeadgateConfiguration
package import HeadgateHTTP

/// The configuration as requests see it: compiled, immutable, swapped as a whole.
package struct GatewaySnapshot: Sendable {
    let models: ModelTable
    let keys: ClientKeys
    /// In the order of the configuration, with their own deadlines.
    let upstreams: [Upstream]
    /// The definitions that they were made from.
    let definitions: [UpstreamDefinition]
    let bodyLimit: Int
    let bodies: BodyBudget
    /// Octets of one event of a stream.
    let eventLimit: Int
    let origins: OriginRules
    let middleware: MiddlewareOrder
    /// Whether every caller may reach every stored response.
    let opensStoredResponses: Bool

    /// - Parameters:
    ///   - models: the upstream of each one's first target is one of the definitions; others are left out.
    ///   - keys: empty makes the gateway keyless.
    ///   - callersWithoutKey: callers that are admitted without a key, such as users of a socket.
    ///   - middleware: around relayed requests and their attempts.
    ///   - bodyMemory: of the process, whatever its configuration.
    package init(
        upstreams: [UpstreamDefinition], models: [ModelConfiguration], keys: [KeyConfiguration],
        callersWithoutKey: Int = 0, limits: LimitsConfiguration, origins: OriginRules = OriginRules(),
        storedResponses: StoredResponses = .own, middleware: MiddlewareOrder = MiddlewareOrder(),
        bodyMemory: BodyMemory = BodyMemory()
    ) {
        // What one caller does is no secret from itself.
        let isOneCallersOwn = keys.count + callersWithoutKey <= 1
        func compiled(_ definition: UpstreamDefinition, _ timeouts: UpstreamTimeouts) -> Upstream {
            Upstream(
                definition, timeouts: timeouts, relaysRateLimits: isOneCallersOwn, middlewares: middleware.perAttempt)
        }
        let definitions = Dictionary(upstreams.map { ($0.name, $0) }) { first, _ in first }
        // Models with the same deadlines share one chain.
        struct Variant: Hashable {
            let name: String
            let timeouts: UpstreamTimeouts
        }
        var variants: [Variant: Upstream] = [:]
        var table = ModelTable()
        for model in models {
            guard let target = model.targets.first, let definition = definitions[target.upstream] else { continue }
            let variant = Variant(name: target.upstream, timeouts: target.timeouts)
            let upstream = variants[variant] ?? compiled(definition, target.timeouts)
            variants[variant] = upstream
            table.add(
                model.name,
                ModelTable.Target(
                    upstream: upstream, model: target.model, parameters: ParameterRewriting(target.parameters)))
        }
        self.models = table
        self.definitions = upstreams
        self.upstreams = upstreams.map { compiled($0, $0.configuration.timeouts) }
        self.middleware = middleware
        self.keys = ClientKeys(keys)
        bodyLimit = limits.body
        bodies = BodyBudget(memory: bodyMemory, limit: limits.bodyMemory)
        eventLimit = limits.event
        self.origins = origins
        opensStoredResponses = storedResponses == .any || isOneCallersOwn
    }

    /// The public model names, without patterns.
    package var modelNames: [String] { models.names }
}

/// How much of the process's memory request bodies may take under this configuration.
struct BodyBudget: Sendable {
    let memory: BodyMemory
    /// Octets.
    let limit: Int

    func allowance() -> BodyAllowance { BodyAllowance(of: memory, limit: limit) }
}
