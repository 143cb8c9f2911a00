internal import HeadgatePrices
internal import HeadgatePrimitives

extension ConfigurationDecoder {
    /// Reads the client keys.
    ///
    /// - Parameter groups: Names of the configured groups; nil if they could not be read.
    mutating func keys(in fields: Fields, groups: [String]?) -> [KeyConfiguration] {
        guard let entry = fields["keys"] else {
            recordStandard("keys", of: fields)
            return []
        }
        guard let items = list(entry.value, place: "keys", of: "keys such as {name: laptop, sha256: ...}") else {
            return []
        }
        let path = fields.path.key("keys")
        var names: [ExactText: SourcePosition] = [:]
        var digests: [[UInt8]: SourcePosition] = [:]
        return items.enumerated().compactMap { index, item in
            key(item, at: path.item(index), names: &names, digests: &digests, groups)
        }
    }

    private mutating func key(
        _ node: YAMLNode, at path: SettingPath, names: inout [ExactText: SourcePosition],
        digests: inout [[UInt8]: SourcePosition], _ groups: [String]?
    ) -> KeyConfiguration? {
        guard let fields = fields(of: node, as: .key, at: path, in: "a key") else { return nil }
        if fields.lacks("name") { issues.add("a key has no name: add name: laptop", at: node.position) }
        if fields.lacks("sha256") {
            issues.add("a key has no sha256: add sha256: and \(Digest.expected)", at: node.position)
        }
        let name = value("name", of: fields, as: "a name") { (text) throws(InvalidValue) in
            let name = try Name.checkKey(text)
            try Self.claim(ExactText(name), at: fields["name"], in: &names, rename: "choose another name")
            return name
        }
        let digest = value("sha256", of: fields, as: Digest.expected, echo: .onceValid) {
            (text) throws(InvalidValue) in
            let digest = try Digest.parse(text)
            try Self.claim(digest, at: fields["sha256"], in: &digests, rename: "make a new key, or remove one")
            return digest
        }
        let models = keyModels(fields)
        let expires = value("expires", of: fields, as: RFC3339Date.expected) { (text) throws(InvalidValue) in
            try RFC3339Date.unixSeconds(text)
        }
        let isAdmin = flag("admin", of: fields)
        let limits = usageLimits(of: fields)
        let budget = budget(of: fields)
        let group = group(of: fields, among: groups)
        let tiers = allowedTiers(of: fields)
        let unpriced = choice("unpriced", of: fields, as: UnpricedRequests.self)
        let priority = choice("priority", of: fields, as: RequestPriority.self)
        let passthrough = passthrough(of: fields, budget: budget)
        guard let name, let digest else { return nil }
        if let expires, let entry = fields["expires"], surroundings.isPast(expires) {
            warnings.add(
                "expires: the key \(quoted(name)) has expired and is refused: set a later date, or remove the key",
                at: entry.value.position)
        }
        var key = KeyConfiguration(
            name: name, digest: digest, models: models, expires: expires, isAdmin: isAdmin ?? false, limits: limits,
            budget: budget, group: group)
        key.tiers = tiers
        key.unpriced = unpriced ?? .allow
        if let priority { key.priority = priority }
        key.passthrough = passthrough
        return key
    }

    /// Reads the upstreams whose whole API a key can use. No budget counts such requests.
    private mutating func passthrough(of fields: Fields, budget: BudgetConfiguration?) -> [String] {
        let names = values(
            "passthrough", of: fields, list: "names of upstreams with passthrough: true",
            each: "the name of an upstream"
        ) { (text) throws(InvalidValue) in
            try Name.checkUpstream(text)
            return text
        }
        if let entry = fields["passthrough"], budget != nil {
            issues.add(
                "passthrough: these requests are not priced, so the key's budget would not count them: remove one of "
                    + "the two",
                at: entry.keyPosition)
        }
        return names ?? []
    }

    /// Warns of keys with upstreams that pass nothing through.
    mutating func warnClosed(_ keys: [KeyConfiguration], _ upstreams: DecodedUpstreams, at position: SourcePosition?) {
        for key in keys {
            for name in key.passthrough
            where !upstreams.decoded.contains(where: { $0.name.isExactly(name) && $0.passesThrough }) {
                warnings.add(
                    "passthrough: the key \(quoted(key.name)) names \(quoted(name)), and no upstream of that name has "
                        + "passthrough: true: add it there, or remove it here",
                    at: position)
            }
        }
    }

    /// Reads the service tiers that a key or a model allows.
    mutating func allowedTiers(of fields: Fields) -> ServiceTiers {
        let known = ServiceTier.configurable.map(\.rawValue)
        if let entry = fields["allow_tiers"], case .sequence(let items) = entry.value.content, items.isEmpty {
            issues.add("allow_tiers: the list is empty: name \(alternatives(known))", at: entry.value.position)
        }
        let tiers = values(
            "allow_tiers", of: fields, list: "service tiers, such as [default, flex]", each: alternatives(known),
            echo: .word
        ) { (text) throws(InvalidValue) in
            guard let tier = ServiceTier.configurable.first(where: { $0.rawValue == text }) else {
                let advice = nearest(text, in: known).map { "; did you mean \(quoted($0))?" } ?? ""
                throw InvalidValue("expected \(alternatives(known))\(advice)")
            }
            return tier
        }
        return tiers.map { ServiceTiers($0.map(ServiceTiers.init)) } ?? .all
    }

    private mutating func group(of fields: Fields, among known: [String]?) -> String? {
        value("group", of: fields, as: "the name of a group") { (text) throws(InvalidValue) in
            guard let known, !known.contains(where: { $0.isExactly(text) }) else { return text }
            let advice = nearest(text, in: known).map { "did you mean \(quoted($0))?" } ?? "add it under groups"
            throw InvalidValue("there is no such group: \(advice)")
        }
    }

    private mutating func keyModels(_ fields: Fields) -> [String] {
        if let entry = fields["models"], case .sequence(let items) = entry.value.content, items.isEmpty {
            issues.add("models: the list is empty: name a model, or remove it to allow all", at: entry.value.position)
        }
        let models = values(
            "models", of: fields, list: "public names or patterns, such as [\"*\"]",
            each: "a public name or pattern"
        ) { (text) throws(InvalidValue) in try Name.checkModelPattern(text) }
        return models ?? (fields["models"] == nil ? ["*"] : [])
    }

    private static func claim<Value: Hashable>(
        _ value: Value, at entry: YAMLEntry?, in taken: inout [Value: SourcePosition], rename: String
    ) throws(InvalidValue) {
        if let first = taken[value] {
            throw InvalidValue("taken by the key at line \(first.line): \(rename)")
        }
        taken[value] = entry?.value.position
    }
}
