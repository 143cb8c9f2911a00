internal import HeadgatePrimitives

extension ConfigurationDecoder {
    /// Maximum number of parameters. Every model that changes one has a copy of its upstream's parameters.
    private static let maximumParameters = 256

    mutating func parameters(in fields: Fields) -> ParameterRules {
        guard fields["parameters"] != nil else { return ParameterRules() }
        let fields = section("parameters", of: fields, as: .parameters)
        // Names with the key under which each was found first.
        var claimed: [ExactText: String] = [:]
        let defaults = parameters("defaults", of: fields, claimed: &claimed)
        let overrides = parameters("overrides", of: fields, claimed: &claimed)
        let strip = values("strip", of: fields, list: "parameter names", each: "the name of a parameter") {
            (text) throws(InvalidValue) in
            try Self.claim(text, for: "strip", in: &claimed)
            return text
        }
        return ParameterRules(defaults: defaults, overrides: overrides, strip: strip ?? [])
    }

    /// Merges a model's own parameters with those of a target's upstream. If both name a parameter, the model's
    /// applies.
    ///
    /// - Parameter path: Path at which the model's own parameters are recorded.
    mutating func parameters(_ own: ParameterRules, at path: SettingPath, over target: DecodedTarget) -> ParameterRules
    {
        let merged = own.merged(over: target.upstream.parameters)
        guard settings != nil else { return merged }
        let destination = target.path.key("parameters")
        let source = target.upstreamPath.key("parameters")
        func inherit(_ step: SettingPath, isOwn: Bool) {
            // Values that are already recorded there are not replaced.
            guard !isOwn || !target.isWholeModel else { return }
            settings?.inherit(destination.appending(step), from: (isOwn ? path : source).appending(step))
        }
        for parameter in merged.defaults {
            inherit(SettingPath.root.key("defaults").key(parameter.name), isOwn: own.defaults.contains(parameter))
        }
        for parameter in merged.overrides {
            inherit(SettingPath.root.key("overrides").key(parameter.name), isOwn: own.overrides.contains(parameter))
        }
        if !merged.strip.isEmpty {
            inherit(SettingPath.root.key("strip"), isOwn: !own.strip.isEmpty)
            settings?.show(listText(merged.strip), at: destination.key("strip"))
        }
        return merged
    }

    private mutating func parameters(
        _ key: String, of fields: Fields, claimed: inout [ExactText: String]
    ) -> [ParameterRules.Parameter] {
        guard let entry = fields[key], let entries = mapping(entry.value, place: key, of: "parameter names to values")
        else { return [] }
        return entries.compactMap { entry in
            do throws(InvalidValue) {
                try Self.claim(entry.key, for: key, in: &claimed)
            } catch {
                issues.add("\(key): parameter \(quoted(entry.key)): \(error.message)", at: entry.keyPosition)
            }
            guard let json = json(entry.value, in: "parameter \(quoted(entry.key))") else { return nil }
            let path = fields.path.key(key).key(entry.key)
            let origin = origin(of: entry.value)
            settings?.record(path, String(decoding: json, as: UTF8.self), origin: origin)
            return ParameterRules.Parameter(name: entry.key, json: json)
        }
    }

    private static func claim(
        _ name: String, for key: String, in claimed: inout [ExactText: String]
    ) throws(InvalidValue) {
        guard !name.isEmpty, name.utf8.count <= 256 else {
            throw InvalidValue("expected a name of 1 to 256 bytes")
        }
        guard !name.contains("${") else {
            throw InvalidValue("variables are only read in values: write the name out")
        }
        guard !ParameterRules.protected.contains(name) else {
            throw InvalidValue("the gateway reads it, or it is what the client asks: it cannot be changed; remove it")
        }
        if let first = claimed[ExactText(name)] { throw InvalidValue("it is already in \(first): keep one of them") }
        guard claimed.count < maximumParameters else {
            throw InvalidValue("more than \(maximumParameters) parameters: keep fewer")
        }
        claimed[ExactText(name)] = key
    }
}
