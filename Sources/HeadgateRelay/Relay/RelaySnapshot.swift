package import HeadgateConfiguration
internal import HeadgateHTTP

/// The part of the configuration that relaying needs: compiled, immutable, without any capability.
package struct RelaySnapshot: Sendable {
    package let models: ModelTable
    package let keys: ClientKeys
    /// In the order of the configuration, with their own deadlines.
    package let upstreams: [Upstream]
    /// The definitions that they were made from, with all their secrets.
    package let definitions: [UpstreamDefinition]
    let targets: TargetStates
    package let wrongKeys: WrongKeys
    /// Bytes.
    package let bodyLimit: Int
    package let bodies: BodyBudget
    /// Bytes of one event of a stream.
    package let eventLimit: Int
    package let origins: OriginRules
    package let stored: StoredResponseAccess
    /// How the gateway keeps responses itself; nil if it does not.
    package let kept: LocalResponses?
    /// Whether the gateway has a single caller, from whom nothing of it is secret.
    package let hasOneCaller: Bool
    /// Whether responses have the gateway's own fields.
    let hasResponseFields: Bool
    /// Nil if nothing has a price.
    package let pricing: RequestPricing?
    /// Whether a capability needs the use of tokens in full, cached ones included.
    package let readsCache: Bool

    package init(
        models: ModelTable, keys: ClientKeys, upstreams: [Upstream], definitions: [UpstreamDefinition],
        targets: TargetStates, wrongKeys: WrongKeys, bodyLimit: Int, bodies: BodyBudget, eventLimit: Int,
        origins: OriginRules, stored: StoredResponseAccess, kept: LocalResponses?, hasOneCaller: Bool,
        hasResponseFields: Bool, pricing: RequestPricing?, readsCache: Bool
    ) {
        self.models = models
        self.keys = keys
        self.upstreams = upstreams
        self.definitions = definitions
        self.targets = targets
        self.wrongKeys = wrongKeys
        self.bodyLimit = bodyLimit
        self.bodies = bodies
        self.eventLimit = eventLimit
        self.origins = origins
        self.stored = stored
        self.kept = kept
        self.hasOneCaller = hasOneCaller
        self.hasResponseFields = hasResponseFields
        self.pricing = pricing
        self.readsCache = readsCache
    }

    /// In the order of the configuration.
    package var observedUpstreams: [ObservedUpstream] {
        zip(upstreams, definitions).map { ObservedUpstream($0, $1, targets) }
    }
}
