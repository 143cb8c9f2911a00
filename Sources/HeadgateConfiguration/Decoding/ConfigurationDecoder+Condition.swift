extension ConfigurationDecoder {
    /// Reads the condition that requests for a target must meet; nil for all requests.
    mutating func condition(in target: Fields) -> TargetCondition? {
        guard let entry = target["when"] else { return nil }
        let fields = section("when", of: target, as: .condition)
        var condition = TargetCondition()
        condition.tokensAbove = wholeNumber("tokens_above", of: fields, in: 1...100_000_000)
        condition.images = flag("images", of: fields)
        condition.tools = flag("tools", of: fields)
        condition.keys = names("keys", of: fields, each: "client key")
        condition.groups = names("groups", of: fields, each: "group")
        condition.headers = headers(in: fields)
        if condition == TargetCondition() {
            issues.add(
                "when: it says nothing: add tokens_above, images, tools, keys, groups or headers, or remove it",
                at: entry.keyPosition)
        }
        return condition
    }

    private mutating func names(_ key: String, of fields: Fields, each what: String) -> [String] {
        values(key, of: fields, list: "names of \(what)s", each: "the name of a \(what)") {
            (text) throws(InvalidValue) in
            guard !text.isEmpty else { throw InvalidValue("it must be the name of a \(what)") }
            return text
        } ?? []
    }

    private mutating func headers(in fields: Fields) -> [TargetCondition.Header] {
        guard let entry = fields["headers"],
            let entries = mapping(entry.value, place: "headers", of: "names of headers to their values")
        else { return [] }
        return entries.compactMap { entry in
            let value = decode(entry.value, in: entry.key, as: "text", echo: .onceValid) {
                (text) throws(InvalidValue) in try HeaderConfiguration.checkValue(text)
            }
            return value.map { TargetCondition.Header(name: entry.key.lowercased(), value: $0) }
        }
    }

    /// Adds an issue if all targets of a model have a condition, so that some requests have no target.
    mutating func checkConditions(of targets: [DecodedTarget], in fields: Fields) {
        guard !targets.isEmpty, targets.allSatisfy({ $0.condition != nil }), let entry = fields["targets"] else {
            return
        }
        issues.add(
            "targets: each has 'when', so that other requests have none: add a target without it",
            at: entry.keyPosition)
    }
}
