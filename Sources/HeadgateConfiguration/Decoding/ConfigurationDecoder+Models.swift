extension ConfigurationDecoder {
    mutating func models(in fields: Fields, upstreams: DecodedUpstreams) -> [ModelConfiguration] {
        if let entry = fields["models"] {
            guard let entries = mapping(entry.value, place: "models", of: "public names to upstreams") else {
                return []
            }
            if !entries.isEmpty {
                let path = fields.path.key("models")
                return entries.compactMap { model($0, at: path.key($0.key), upstreams: upstreams) }
            }
        }
        return fields["models"] != nil || fields.lacks("models") ? impliedModels(in: fields, upstreams) : []
    }

    /// Returns the models if the file names none. That requires a single upstream, or upstreams that come from the
    /// environment.
    private mutating func impliedModels(
        in fields: Fields, _ upstreams: DecodedUpstreams
    ) -> [ModelConfiguration] {
        if let position = upstreams.position, let names = upstreams.names, names.count > 1 {
            issues.add(
                "several upstreams and no models: add models to say which upstream serves which, "
                    + "such as models: {\"*\": {upstream: \(names[0])}}", at: position)
            return []
        }
        return upstreams.decoded.compactMap { upstream in
            guard let name = impliedName(upstream, among: upstreams.decoded) else {
                let path = fields.path.key("upstreams").key(upstream.name).key("models")
                let advice = "none, since another upstream serves *; name some in a configuration file"
                settings?.record(path, advice, origin: SettingList.standardOrigin)
                return nil
            }
            let path = fields.path.key("models").key(name)
            settings?.record(path.key("upstream"), upstream.name, origin: SettingList.standardOrigin)
            let own = Fields(.model, at: path)
            let target = target(in: own, upstream: upstream)
            return model(name, fields: own, targets: [target])
        }
    }

    private func impliedName(_ upstream: UpstreamConfiguration, among all: [UpstreamConfiguration]) -> String? {
        guard all.count > 1 else { return upstream.kind == .onDevice ? upstream.nameOnDevice : "*" }
        if upstream.kind == .anthropic { return "claude-*" }
        return upstream.name == all.first { $0.kind != .anthropic }?.name ? "*" : nil
    }

    private mutating func model(
        _ entry: YAMLEntry, at path: SettingPath, upstreams: DecodedUpstreams
    ) -> ModelConfiguration? {
        let place = "model \(quoted(entry.key))"
        do throws(InvalidValue) {
            guard !entry.key.contains("${") else {
                throw InvalidValue("variables are only read in values: write the name out")
            }
            _ = try Name.checkModelPattern(entry.key)
        } catch {
            issues.add("\(place): \(error.message)", at: entry.keyPosition)
        }
        if case .scalar = entry.value.content {
            expected("a mapping, even for the upstream alone: write {upstream: NAME}", found: entry.value, in: place)
            return nil
        }
        guard let fields = fields(of: entry.value, as: .model, at: path, in: place) else { return nil }
        if fields.lacks("upstream"), fields.lacks("targets") {
            issues.add("\(place) has no upstream: add upstream: NAME", at: entry.keyPosition)
        }
        let targets = targets(in: fields, of: entry.key, upstreams: upstreams)
        checkConditions(of: targets, in: fields)
        return model(entry.key, fields: fields, targets: targets)
    }

    private mutating func model(_ name: String, fields: Fields, targets: [DecodedTarget]) -> ModelConfiguration {
        var choosing = fields
        if targets.count == 1 { choosing.leftOut += ["choose", "affinity"] }
        let choice = choice("choose", of: choosing, as: TargetChoice.self)
        let affinity = value("affinity", of: choosing, as: Affinity.expected, echo: .word) {
            (text) throws(InvalidValue) in try Affinity(parsing: text)
        }
        let retry = retry(in: fields, over: targets)
        let onDisconnect = self.choice("on_disconnect", of: fields, as: OnDisconnect.self)
        let cache = cache(of: fields)
        let hedge = hedge(of: fields, over: targets, retry)
        let limits = usageLimits(of: fields)
        let maximumOutput = wholeNumber("max_output_tokens", of: fields, in: 1...100_000_000)
        let (timeouts, total) = timeouts(in: fields, over: targets)
        let parameters = parameters(in: fields)
        let path = fields.path.key("parameters")
        var model = ModelConfiguration(
            name: name,
            targets: targets.map { target in
                var configured = TargetConfiguration(
                    upstream: target.upstream.name, model: target.model, weight: target.weight,
                    timeouts: timeouts.applied(to: target.upstream.timeouts),
                    parameters: self.parameters(parameters, at: path, over: target), breaker: target.breaker)
                configured.condition = target.condition
                return configured
            }, choice: choice ?? .first, affinity: affinity ?? .none, retry: retry, total: total,
            cache: cache, hedge: hedge, onDisconnect: onDisconnect ?? .cancel, limits: limits,
            maximumOutput: maximumOutput)
        model.instructions = instructions(of: fields)
        model.description = instruction("description", of: fields, upTo: 1024)
        model.tiers = allowedTiers(of: fields)
        warnOfChoices(without: model, in: fields, targets)
        return model
    }

    private mutating func instructions(of fields: Fields) -> InstructionRules? {
        guard fields["system"] != nil else { return nil }
        let fields = section("system", of: fields, as: .instructions)
        return InstructionRules(
            prepended: instruction("prepend", of: fields), appended: instruction("append", of: fields),
            standard: instruction("default", of: fields))
    }

    private mutating func instruction(_ key: String, of fields: Fields, upTo limit: Int = 64 << 10) -> String? {
        value(key, of: fields, as: "text", echo: .onceValid) { (text) throws(InvalidValue) in
            guard (1...limit).contains(text.utf8.count) else {
                throw InvalidValue("it must be 1 to \(limit) bytes long")
            }
            return text
        }
    }
}
