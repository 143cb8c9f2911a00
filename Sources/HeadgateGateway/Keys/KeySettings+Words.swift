package import HeadgateConfiguration
internal import HeadgateDialects
internal import HeadgateRelay

extension KeySettings {
    /// Creates settings from the words of a command line. ``configuration(name:digest:groups:)`` validates the values.
    ///
    /// - Parameters:
    ///   - limits: words such as `requests=60/m` or `in_flight=8`; several limits of one kind all apply.
    ///   - budget: a word such as `usd=20/month`, `$5/month` or `5/month`.
    ///   - expires: a date or a date-time.
    ///   - tiers: service tiers that the key allows; empty for all.
    ///   - unpriced: `allow` or `refuse`.
    ///   - priority: `interactive` or `batch`.
    ///   - passthrough: upstreams whose whole API the key reaches.
    package init(
        models: [String] = [], limits: [String] = [], budget: String? = nil, group: String? = nil,
        isAdmin: Bool = false, expires: String? = nil, tiers: [String] = [], unpriced: String? = nil,
        priority: String? = nil,
        passthrough: [String] = []
    ) throws(KeySettingsError) {
        var members = JSONObject()
        if !models.isEmpty { members["models"] = .array(models.map { .string($0) }) }
        if let expires { members["expires"] = .string(expires) }
        if isAdmin { members["admin"] = true }
        if !limits.isEmpty { members["limits"] = .object(try KeySettings.limits(limits)) }
        if let budget { members["budget"] = .object(try KeySettings.budget(budget)) }
        if let group { members["group"] = .string(group) }
        if !tiers.isEmpty { members["allow_tiers"] = .array(tiers.map { .string($0) }) }
        if let unpriced { members["unpriced"] = .string(unpriced) }
        if let priority { members["priority"] = .string(priority) }
        if !passthrough.isEmpty { members["passthrough"] = .array(passthrough.map { .string($0) }) }
        self.init(members)
    }

    /// Limits that take a single number.
    private static let singleLimits = ["burst", "in_flight"]

    private static func limits(_ words: [String]) throws(KeySettingsError) -> JSONObject {
        var limits = JSONObject()
        for word in words {
            guard let (name, value) = assignment(word) else {
                throw KeySettingsError(
                    setting: "limits",
                    message: "a limit is a name and a value, such as requests=60/m, tokens=200k/m or in_flight=8")
            }
            if limits[name] != nil, singleLimits.contains(name) {
                throw KeySettingsError(setting: "limits", message: "the limit \(name) is given twice: keep one of them")
            }
            switch limits[name] {
            case nil: limits[name] = value.utf8.allSatisfy { $0 &- 0x30 < 10 } ? .number(value) : .string(value)
            case .array(let values)?: limits[name] = .array(values + [.string(value)])
            case let first?: limits[name] = .array([first, .string(value)])
            }
        }
        return limits
    }

    private static func budget(_ word: String) throws(KeySettingsError) -> JSONObject {
        // An amount without a unit is in dollars, with or without the dollar sign.
        let parts = assignment(word) ?? ("usd", String(word.first == "$" ? word.dropFirst() : word[...]))
        let amount = parts.value.split(separator: "/", omittingEmptySubsequences: false)
        guard amount.count == 2, !amount[0].isEmpty, !amount[1].isEmpty else {
            throw KeySettingsError(
                setting: "budget",
                message: "a budget is an amount and a time, such as usd=20/month, 5/month or tokens=5M/day")
        }
        var budget: JSONObject = [:]
        budget[parts.name] = .string(String(amount[0]))
        budget["every"] = .string(String(amount[1]))
        return budget
    }

    private static func assignment(_ word: String) -> (name: String, value: String)? {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else { return nil }
        return (String(parts[0]), String(parts[1]))
    }
}
