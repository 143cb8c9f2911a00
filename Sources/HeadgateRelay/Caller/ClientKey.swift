package import HeadgateConfiguration
internal import HeadgateHTTP
internal import HeadgatePrices
internal import HeadgatePrimitives

/// Sender of a request: a client key with its permissions, or a caller without a key.
package final class ClientKey: Sendable {
    /// Name from the configuration, fit for a log.
    package let name: String
    /// Nil for a caller without a key.
    let digest: KeyDigest?
    private let models: [ModelPattern]
    private let expires: Int64?
    /// Whether the caller may also see the gateway's metrics and status.
    package let isAdmin: Bool
    /// Service tiers that the caller's requests may select.
    let tiers: ServiceTiers
    /// Whether requests that count against a budget in USD are refused if a price is unknown.
    package let refusesUnpriced: Bool
    /// Name of the key's group; nil if it has none.
    package let group: String?
    package let priority: RequestPriority
    /// Upstreams whose whole API the key can reach. An admin can reach that of every upstream.
    private let passthrough: [String]
    /// Rules of the key and its group; empty if nothing is limited.
    package let limits: [LimitRules]

    /// - Parameter group: the settings that its keys share.
    package init(_ configuration: KeyConfiguration, group: GroupConfiguration? = nil) {
        name = configuration.name
        digest = KeyDigest(bytes: configuration.digest)
        models = configuration.models.map(ModelPattern.init)
        expires = configuration.expires
        isAdmin = configuration.isAdmin
        tiers = configuration.tiers
        refusesUnpriced = configuration.unpriced == .refuse
        self.group = configuration.group
        priority = configuration.priority
        passthrough = configuration.passthrough
        let own = LimitRules(
            configuration.limits, budget: configuration.budget,
            of: LimitSubject(kind: .key, name: configuration.name))
        limits = [own, group.flatMap(LimitRules.init(of:))].compactMap(\.self)
    }

    /// Creates a caller without a key, who may use every model.
    package convenience init(unasked name: String, isAdmin: Bool) {
        self.init(KeyConfiguration(name: name, digest: [], isAdmin: isAdmin))
    }

    static let keyless = ClientKey(unasked: "keyless", isAdmin: true)
    /// Caller on routes without authentication, which serve no models.
    package static let unknown = ClientKey(KeyConfiguration(name: "unknown", digest: [], models: []))

    /// - Parameter now: seconds since 1970.
    func isExpired(at now: Int64) -> Bool { expires.map { $0 <= now } ?? false }

    package func allows(model: String) -> Bool {
        models.contains { $0.matches(model) }
    }

    /// Whether the caller may send any request to an upstream.
    func passesThrough(to upstream: String) -> Bool { isAdmin || passthrough.contains(where: upstream.isExactly) }

    /// Whether the caller or its group has a budget.
    var hasBudget: Bool { limits.contains { $0.budget != nil } }

    /// Whether the caller may use at least one name with that prefix.
    func allowsSome(withPrefix prefix: String) -> Bool {
        models.contains { $0.mayMatch(prefix: prefix) }
    }
}

/// Name of a model, or prefix of names. Names are compared byte by byte, as upstreams do.
package struct ModelPattern: Sendable {
    let text: String
    let isPrefix: Bool

    /// - Parameter entry: a name, or a prefix followed by `*`.
    package init(_ entry: String) {
        let prefix = entry.patternPrefix
        isPrefix = prefix != nil
        text = prefix ?? entry
    }

    package func matches(_ model: String) -> Bool {
        isPrefix ? model.utf8.starts(with: text.utf8) : model.isExactly(text)
    }

    /// Whether the pattern can match a name with that prefix.
    func mayMatch(prefix: String) -> Bool {
        text.utf8.starts(with: prefix.utf8) || (isPrefix && prefix.utf8.starts(with: text.utf8))
    }
}
