extension ConfigurationDecoder {
    mutating func models(in fields: Fields, upstreams: DecodedUpstreams) -> [ModelConfiguration] {
        if let entry = fields["models"], !entry.value.isNull {
            guard let entries = mapping(entry.value, place: "models", of: "public names to upstreams") else {
                return []
            }
            if !entries.isEmpty { return entries.compactMap { model($0, upstreams: upstreams.names) } }
        }
        return fields["models"] != nil || fields.lacks("models") ? impliedModels(upstreams) : []
    }

    /// What is served when no models are named, which is only clear for a single upstream.
    private mutating func impliedModels(_ upstreams: DecodedUpstreams) -> [ModelConfiguration] {
        if let names = upstreams.names, names.count > 1 {
            issues.add(
                "several upstreams and no models: add models to say which upstream serves which, "
                    + "such as models: {\"*\": {upstream: \(names[0])}}", at: upstreams.position)
            return []
        }
        return upstreams.decoded.map { upstream in
            ModelConfiguration(name: upstream.kind == .onDevice ? "smollm2" : "*", upstream: upstream.name)
        }
    }

    private mutating func model(_ entry: YAMLEntry, upstreams: [String]?) -> ModelConfiguration? {
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
        guard let fields = fields(of: entry.value, known: ["upstream", "model"], in: place) else { return nil }
        if fields.lacks("upstream") {
            issues.add("\(place) has no upstream: add upstream: NAME", at: entry.keyPosition)
        }
        let isChecked = !issues.isFull
        let upstream = fields["upstream"].flatMap { entry in
            decode(entry, as: "the name of an upstream") { (text) throws(InvalidValue) in
                if isChecked, let upstreams { try Self.checkReference(text, upstreams: upstreams) }
                return text
            }
        }
        let model = fields["model"].flatMap { entry in
            decode(entry, as: "the upstream's name for the model") { (text) throws(InvalidValue) in
                try Name.checkUpstreamModel(text)
            }
        }
        return upstream.map { ModelConfiguration(name: entry.key, upstream: $0, model: model) }
    }

    private static func checkReference(_ name: String, upstreams: [String]) throws(InvalidValue) {
        guard !upstreams.contains(name) else { return }
        if let meant = nearest(name, in: upstreams) {
            throw InvalidValue("no upstream has this name: did you mean \(quoted(meant))?")
        }
        let shown = upstreams.prefix(8).map(quoted).joined(separator: ", ")
        throw InvalidValue("no upstream has this name: expected one of \(shown)\(upstreams.count > 8 ? ", ..." : "")")
    }
}
