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

    /// What is served when no models are named, which is only clear for a single upstream and for the environment's.
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
            var own = Fields(.model, at: path)
            own.leftOut = ["upstream"]
            return model(name, fields: own, upstream: upstream)
        }
    }

    private func impliedName(_ upstream: UpstreamConfiguration, among all: [UpstreamConfiguration]) -> String? {
        guard all.count > 1 else { return upstream.kind == .onDevice ? "smollm2" : "*" }
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
        if fields.lacks("upstream") {
            issues.add("\(place) has no upstream: add upstream: NAME", at: entry.keyPosition)
        }
        let isChecked = !issues.isFull
        let name = value("upstream", of: fields, as: "the name of an upstream") { (text) throws(InvalidValue) in
            if isChecked, let names = upstreams.names { try Self.checkReference(text, upstreams: names) }
            return text
        }
        // Without its upstream the rest is still read for its issues.
        let upstream = name.flatMap { name in upstreams.decoded.first { $0.name.isExactly(name) } }
        return model(
            entry.key, fields: fields, upstream: upstream ?? UpstreamConfiguration(name: name ?? "", kind: .openai))
    }

    private mutating func model(
        _ name: String, fields: Fields, upstream: UpstreamConfiguration
    ) -> ModelConfiguration {
        let model = value("model", of: fields, as: "the upstream's name for the model") {
            (text) throws(InvalidValue) in try Name.checkUpstreamModel(text)
        }
        let path = SettingPath.root.key("upstreams").key(upstream.name)
        let timeouts = timeouts(in: fields, over: (upstream.timeouts, path))
        let parameters = parameters(in: fields, over: (upstream.parameters, path))
        return ModelConfiguration(
            name: name, upstream: upstream.name, model: model, timeouts: timeouts, parameters: parameters)
    }

    private static func checkReference(_ name: String, upstreams: [String]) throws(InvalidValue) {
        guard !upstreams.contains(where: name.isExactly) else { return }
        if let meant = nearest(name, in: upstreams) {
            throw InvalidValue("no upstream has this name: did you mean \(quoted(meant))?")
        }
        let shown = upstreams.prefix(8).map(quoted).joined(separator: ", ")
        throw InvalidValue("no upstream has this name: expected one of \(shown)\(upstreams.count > 8 ? ", ..." : "")")
    }
}
