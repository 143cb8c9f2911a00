internal import HeadgateConfiguration
internal import HeadgateHTTP

/// The part of the configuration that relaying needs: compiled, immutable, without any capability.
struct RelaySnapshot: Sendable {
    let models: ModelTable
    let keys: ClientKeys
    /// In the order of the configuration, with their own deadlines.
    let upstreams: [Upstream]
    /// The definitions that they were made from, with all their secrets.
    let definitions: [UpstreamDefinition]
    let targets: TargetStates
    let wrongKeys: WrongKeys
    /// Bytes.
    let bodyLimit: Int
    let bodies: BodyBudget
    /// Bytes of one event of a stream.
    let eventLimit: Int
    let origins: OriginRules
    let stored: StoredResponseAccess
    /// How the gateway keeps responses itself; nil if it does not.
    let kept: LocalResponses?
    /// Whether the gateway has a single caller, from whom nothing of it is secret.
    let hasOneCaller: Bool
    /// Whether responses have the gateway's own fields.
    let hasResponseFields: Bool
    /// Nil if nothing has a price.
    let pricing: RequestPricing?
    /// Whether a capability needs the use of tokens in full, cached ones included.
    let readsCache: Bool

    /// In the order of the configuration.
    var observedUpstreams: [ObservedUpstream] {
        zip(upstreams, definitions).map { ObservedUpstream($0, $1, targets) }
    }
}
