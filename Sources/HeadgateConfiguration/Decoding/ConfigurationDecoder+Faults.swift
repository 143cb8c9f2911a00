internal import HeadgateFaults
internal import HeadgatePrimitives

extension ConfigurationDecoder {
    private static let maximumRules = 100

    /// Reads the rules of fault injection.
    ///
    /// - Parameters:
    ///   - upstreams: Names of upstreams that rules can use; nil if they are unknown.
    ///   - keys: Names of client keys that rules can use; nil if they are unknown.
    mutating func faultInjection(
        in file: Fields, upstreams: [String]?, keys: [String]?
    ) -> FaultInjectionConfiguration {
        let fields = section("fault_injection", of: file, as: .faultInjection)
        var injection = FaultInjectionConfiguration()
        if let isEnabled = flag("enabled", of: fields) { injection.isEnabled = isEnabled }
        guard let entry = fields["rules"] else {
            recordStandard("rules", of: fields)
            return injection
        }
        guard let items = list(entry.value, place: "rules", of: "rules such as {model: fast, fault: {status: 429}}")
        else { return injection }
        if items.count > Self.maximumRules {
            issues.add("rules: \(items.count) are too many: keep at most \(Self.maximumRules)", at: entry.keyPosition)
        }
        let path = fields.path.key("rules")
        injection.rules = items.prefix(Self.maximumRules).enumerated().compactMap { index, item in
            faultRule(item, at: path.item(index), upstreams: upstreams, keys: keys)
        }
        if fields["enabled"] == nil, !injection.rules.isEmpty {
            warnings.add(
                "rules: without enabled: true they change nothing: add it, or remove them", at: entry.keyPosition)
        }
        return injection
    }

    private mutating func faultRule(
        _ node: YAMLNode, at path: SettingPath, upstreams: [String]?, keys: [String]?
    ) -> FaultRule? {
        guard let fields = fields(of: node, as: .faultRule, at: path, in: "a rule") else { return nil }
        let model = value("model", of: fields, as: "a public name or pattern") { (text) throws(InvalidValue) in
            try Name.checkModelPattern(text)
        }
        let key = value("key", of: fields, as: "the name of a client key") { (text) throws(InvalidValue) in
            // An unknown name can be that of a managed key, but not if it resembles a configured name.
            if let keys, nearest(text, in: keys) != nil { try Self.checkName(text, "key", among: keys) }
            return text
        }
        if let key, let keys, !keys.contains(where: key.isExactly) {
            warnings.add(
                "key: the configuration has none of this name: the rule is for a managed key, if there is one",
                at: fields["key"]?.keyPosition)
        }
        let upstream = value("upstream", of: fields, as: "the name of an upstream") { (text) throws(InvalidValue) in
            if let upstreams { try Self.checkName(text, "upstream", among: upstreams) }
            return text
        }
        let percent = wholeNumber("percent", of: fields, in: 1...100)
        let seed = wholeNumber("seed", of: fields, in: 0...999_999_999)
        guard let entry = fields["fault"] else {
            if fields.lacks("fault") {
                issues.add("a rule has no fault: add one such as fault: {status: 429}", at: node.position)
            }
            return nil
        }
        let faultPath = fields.path.key("fault")
        let known = issues.count
        guard let members = self.fields(of: entry.value, as: .fault, at: faultPath, in: "a fault") else { return nil }
        let fault = fault(in: members)
        if issues.count == known { check(fault, at: entry.value.position) }
        if upstream != nil, fault.receiver == .client, let entry = fields["upstream"] {
            issues.add(
                "upstream: what goes towards the client is decided before an upstream is chosen: remove one of them",
                at: entry.keyPosition)
        }
        return FaultRule(
            model: model, key: key, upstream: upstream, percent: percent ?? 100, seed: seed, fault: fault)
    }

    private static func checkName(_ name: String, _ kind: String, among names: [String]) throws(InvalidValue) {
        guard !names.contains(where: name.isExactly) else { return }
        let advice = nearest(name, in: names).map { ": did you mean \(quoted($0))?" } ?? ""
        throw InvalidValue("no \(kind) has this name\(advice)")
    }

    private mutating func fault(in fields: Fields) -> Fault {
        var fault = Fault()
        for member in FaultMember.allCases {
            let read = value(member.rawValue, of: fields, as: member.expected) { (text) throws(InvalidValue) in
                var read = fault
                try member.read(text, into: &read)
                return read
            }
            if let read { fault = read }
        }
        return fault
    }

    private mutating func check(_ fault: Fault, at position: SourcePosition) {
        do throws(InvalidValue) { try fault.check() } catch { issues.add("fault: \(error.message)", at: position) }
    }
}
