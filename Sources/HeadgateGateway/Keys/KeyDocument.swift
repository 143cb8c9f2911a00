internal import HeadgateConfiguration
internal import HeadgateDialects
internal import HeadgatePrimitives
internal import HeadgateRelay

/// Document with the contract's schema `ClientKey`.
struct KeyDocument {
    private(set) var members: JSONObject

    /// Names of the members that are not copied from a key's settings.
    static let facts: Set<String> = [
        "name", "managed", "key", "admin", "models", "created", "expires", "is_expired", "former_until", "budget_use",
    ]

    /// Creates the document of a managed key.
    ///
    /// - Parameters:
    ///   - configured: keys of the configuration, which take precedence.
    ///   - groups: names of the configured groups; nil to accept every name.
    ///   - hasLedger: whether the gateway has a ledger.
    ///   - budgets: use of the budgets; nil if it is not counted.
    ///   - now: seconds since 1970.
    init(
        _ key: ManagedKey, beside configured: [KeyConfiguration], groups: [String]?, hasLedger: Bool = true,
        budgets: BudgetOverview? = nil, at now: Int64
    ) {
        let settings = KeySettings(key.settings)
        var problem: String?
        var checked: KeyConfiguration?
        do throws(KeySettingsError) {
            checked = try settings.configuration(name: key.name, digest: key.identity, groups: groups)
        } catch {
            problem = error.message
        }
        if checked?.needsLedger ?? false, !hasLedger { problem = KeySettingsError.needsLedger.message }
        if configured.contains(where: { $0.name.isExactly(key.name) }) {
            problem = "the configuration has a key with the same name, which takes precedence"
        }
        let end = key.former.map(\.end).filter { $0 > now }.max()
        members = [
            "name": .string(key.name), "managed": true, "admin": .bool(checked?.isAdmin ?? false),
            "models": .array((checked?.models ?? []).map { .string($0) }),
            "created": .string(KeyDocument.time(key.created)),
            "expires": checked?.expires.map { .string(KeyDocument.time($0)) } ?? .null,
            "is_expired": .bool(checked?.expires.map { $0 <= now } ?? false),
            "former_until": end.map { .string(KeyDocument.time($0)) } ?? .null,
        ]
        for member in settings.members.members where members[member.name] == nil && member.name != "?" {
            members[member.name] = member.value
        }
        if let problem {
            members["problem"] = .string(problem)
        } else {
            addBudgetUse(checked.flatMap { budgets?.use(of: $0, at: now) })
        }
    }

    /// Creates the document of a configured key. Its other settings are in the configuration file.
    init(_ key: KeyConfiguration, _ budgets: BudgetOverview, at now: Int64) {
        members = [
            "name": .string(key.name), "managed": false, "admin": .bool(key.isAdmin),
            "models": .array(key.models.map { .string($0) }), "created": .null,
            "expires": key.expires.map { .string(KeyDocument.time($0)) } ?? .null,
            "is_expired": .bool(key.expires.map { $0 <= now } ?? false), "former_until": .null,
        ]
        if let group = key.group { members["group"] = .string(group) }
        addBudgetUse(budgets.use(of: key, at: now))
    }

    private mutating func addBudgetUse(_ use: BudgetUse?) {
        if let use { members["budget_use"] = .object(use.object) }
    }

    /// Returns the document with the key itself. Clients see the key only once.
    func showing(_ key: String) -> KeyDocument {
        var document = self
        document.members["key"] = .string(key)
        return document
    }

    var json: [UInt8] { JSONValue.object(members).bytes }

    static func list(_ keys: [KeyDocument], hasMore: Bool) -> [UInt8] {
        let object: JSONObject = [
            "object": "list", "data": .array(keys.map { .object($0.members) }), "has_more": .bool(hasMore),
        ]
        return JSONValue.object(object).bytes
    }

    /// Formats a time, clamped to the range of nanoseconds in 64 bits.
    static func time(_ seconds: Int64) -> String {
        Timestamp.dateTime(min(max(seconds, 0), Int64.max / 1_000_000_000))
    }
}
