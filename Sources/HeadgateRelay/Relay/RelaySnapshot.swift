package import HeadgateConfiguration
internal import HeadgateHTTP

/// Part of the configuration that relaying needs: compiled, immutable, without any capability.
package struct RelaySnapshot: Sendable {
    package let models: ModelTable
    package let keys: ClientKeys
    /// Upstreams in the order of the configuration, with their own deadlines: each once for each of its keys.
    let variants: [[Upstream]]
    /// Definitions of the upstreams, including all their secrets.
    package let definitions: [UpstreamDefinition]
    let targets: TargetStates
    package let wrongKeys: WrongKeys
    /// Maximum size of a request body, in bytes.
    package let bodyLimit: Int
    package let bodies: BodyBudget
    /// Maximum size of one event of a stream, in bytes.
    package let eventLimit: Int
    package let origins: OriginRules
    package let stored: StoredResponseAccess
    /// Responses that the gateway stores itself; nil if it stores none.
    package let kept: LocalResponses?
    /// Whether the gateway has a single caller, who may see everything about it.
    package let hasOneCaller: Bool
    /// Whether responses have the gateway's own header fields.
    let hasResponseFields: Bool
    /// Prices of requests; nil if nothing has a price.
    package let pricing: RequestPricing?
    /// Whether a capability needs the complete token usage, including cached tokens.
    package let readsCache: Bool
    /// Whether requests for a compaction get a summary from upstreams that cannot compact.
    let summarizes: Bool

    package init(
        models: ModelTable, keys: ClientKeys, variants: [[Upstream]], definitions: [UpstreamDefinition],
        targets: TargetStates, wrongKeys: WrongKeys, bodyLimit: Int, bodies: BodyBudget, eventLimit: Int,
        origins: OriginRules, stored: StoredResponseAccess, kept: LocalResponses?, hasOneCaller: Bool,
        hasResponseFields: Bool, pricing: RequestPricing?, readsCache: Bool, summarizes: Bool
    ) {
        self.models = models
        self.keys = keys
        self.variants = variants
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
        self.summarizes = summarizes
    }

    /// Upstreams in the order of the configuration, each with its first key.
    package var upstreams: [Upstream] { variants.map { $0[0] } }

    /// Upstreams with their observable state, in the order of the configuration.
    package var observedUpstreams: [ObservedUpstream] {
        zip(upstreams, definitions).map { ObservedUpstream($0, $1, targets) }
    }
}
