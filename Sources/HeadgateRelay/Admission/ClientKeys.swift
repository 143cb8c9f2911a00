package import HeadgateConfiguration
internal import HeadgatePrimitives

/// Client keys by digest: those of the configuration, and the managed ones.
package struct ClientKeys: Sendable {
    private let byDigest: [KeyDigest: ClientKey]
    /// Source of the managed keys; nil if keys are not managed.
    private let managed: (any ManagedKeySource)?
    /// Whether the gateway serves callers without a key. Managed keys do not change that while a configuration is
    /// served.
    package let isKeyless: Bool

    /// Whether any key has limits, or managed keys might have some.
    package let areLimited: Bool
    /// Rules of all groups that managed keys can be in.
    private let groupLimits: [LimitRules]

    package init(
        _ configurations: [KeyConfiguration], groups: [GroupConfiguration] = [], managed: (any ManagedKeySource)? = nil
    ) {
        isKeyless = configurations.isEmpty && managed?.areShared != true
        self.managed = managed
        let pairs = configurations.compactMap { configuration in
            let group = groups.first { group in configuration.group.map(group.name.isExactly) ?? false }
            return KeyDigest(bytes: configuration.digest).map { ($0, ClientKey(configuration, group: group)) }
        }
        areLimited = managed?.isCompiled ?? false || pairs.contains { !$0.1.limits.isEmpty }
        groupLimits = managed?.isCompiled ?? false ? groups.compactMap(LimitRules.init(of:)) : []
        byDigest = Dictionary(pairs) { first, _ in first }
    }

    /// Rules of the configured keys, and of groups with keys: each subject once.
    package var limits: [LimitRules] {
        var seen: Set<LimitSubject> = []
        return (byDigest.values.sorted { $0.name < $1.name }.flatMap(\.limits) + groupLimits)
            .filter { seen.insert($0.subject).inserted }
    }

    /// - Parameter now: seconds since 1970.
    func key(digest: KeyDigest, at now: Int64) throws(GatewayError) -> ClientKey? {
        if let key = byDigest[digest] { return key }
        return try managed?.key(digest, at: now)
    }
}

/// Keys that can be added and removed while a configuration is served.
package protocol ManagedKeySource: Sendable {
    /// Whether other gateways share the keys, so that one can be added at any time.
    var areShared: Bool { get }
    /// Whether there were managed keys when the configuration was compiled.
    var isCompiled: Bool { get }

    /// - Parameter now: seconds since 1970.
    /// - Returns: nil if the digest is not that of a managed key.
    /// - Throws: ``GatewayError`` if the keys are not known yet.
    func key(_ digest: KeyDigest, at now: Int64) throws(GatewayError) -> ClientKey?
}
