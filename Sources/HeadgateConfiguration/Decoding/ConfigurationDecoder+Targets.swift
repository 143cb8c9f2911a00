internal import HeadgatePrimitives

/// A target as written in the file.
struct DecodedTarget {
    /// Upstream, or a placeholder for an unknown one, so that the other settings are still checked.
    let upstream: UpstreamConfiguration
    let model: String?
    var weight = 1
    var breaker: BreakerConfiguration?
    var condition: TargetCondition?
    /// Path of the target, or of its model if the model has no list of targets.
    let path: SettingPath
    /// Whether the model itself names the upstream, without a list of targets.
    var isWholeModel = false
    /// Position of its weight in the file.
    var weightPosition: SourcePosition?

    var upstreamPath: SettingPath { SettingPath.root.key("upstreams").key(upstream.name) }
}

extension ConfigurationDecoder {
    private static let maximumTargets = 16

    /// Reads the targets of a model from its `targets`, or else from its `upstream` and `model`.
    mutating func targets(in fields: Fields, of name: String, upstreams: DecodedUpstreams) -> [DecodedTarget] {
        guard let entry = fields["targets"] else {
            guard fields["upstream"] != nil || fields.lacks("targets") else { return [] }
            return [target(in: fields, upstream: upstream(of: fields, among: upstreams))]
        }
        for key in ["upstream", "model"] {
            guard let entry = fields[key] else { continue }
            issues.add("\(key): each of the targets has its own: remove it, or targets", at: entry.keyPosition)
        }
        guard let items = list(entry.value, place: "targets", of: "targets such as {upstream: NAME, model: NAME}")
        else {
            return []
        }
        if items.isEmpty {
            issues.add("targets: the list is empty: add one such as {upstream: NAME}", at: entry.value.position)
        }
        if items.count > Self.maximumTargets {
            issues.add(
                "targets: \(items.count) are too many: keep at most \(Self.maximumTargets)", at: entry.keyPosition)
        }
        let path = fields.path.key("targets")
        var claimed: [[ExactText]: SourcePosition] = [:]
        return items.prefix(Self.maximumTargets).enumerated().compactMap { index, item in
            let own = self.fields(of: item, as: .target, at: path.item(index), in: "a target")
            guard let own else { return nil }
            if own.lacks("upstream") { issues.add("a target has no upstream: add upstream: NAME", at: item.position) }
            let target = target(inList: own, upstream: upstream(of: own, among: upstreams))
            guard !target.upstream.name.isEmpty else { return target }
            // The forwarded name is the public one, unless that is a pattern.
            let key = [target.upstream.name, target.model ?? name].map(ExactText.init)
            if let first = claimed[key] {
                issues.add(
                    "a target: the same model of the same upstream as at line \(first.line), column \(first.column): "
                        + "keep one of them",
                    at: item.position)
            }
            claimed[key] = item.position
            return target
        }
    }

    /// Returns the only target of a model without a list of targets.
    mutating func target(in fields: Fields, upstream: UpstreamConfiguration) -> DecodedTarget {
        DecodedTarget(
            upstream: upstream, model: upstreamModel(in: fields), breaker: upstream.breaker, path: fields.path,
            isWholeModel: true)
    }

    private mutating func target(inList fields: Fields, upstream: UpstreamConfiguration) -> DecodedTarget {
        var target = DecodedTarget(upstream: upstream, model: upstreamModel(in: fields), path: fields.path)
        if let weight = wholeNumber("weight", of: fields, in: 1...1000) { target.weight = weight }
        target.weightPosition = fields["weight"]?.keyPosition
        target.breaker = breaker(in: fields, over: upstream.breaker.map { ($0, target.upstreamPath) })
        target.condition = condition(in: fields)
        return target
    }

    private mutating func upstreamModel(in fields: Fields) -> String? {
        value("model", of: fields, as: "the upstream's name for the model") { (text) throws(InvalidValue) in
            try Name.checkUpstreamModel(text)
        }
    }

    private mutating func upstream(of fields: Fields, among upstreams: DecodedUpstreams) -> UpstreamConfiguration {
        let isChecked = !issues.isFull
        let name = value("upstream", of: fields, as: "the name of an upstream") { (text) throws(InvalidValue) in
            if isChecked, let names = upstreams.names { try Self.checkReference(text, upstreams: names) }
            return text
        }
        let upstream = name.flatMap { name in upstreams.decoded.first { $0.name.isExactly(name) } }
        return upstream ?? UpstreamConfiguration(name: name ?? "", kind: .openai)
    }

    private static func checkReference(_ name: String, upstreams: [String]) throws(InvalidValue) {
        guard !upstreams.contains(where: name.isExactly) else { return }
        if let meant = nearest(name, in: upstreams) {
            throw InvalidValue("no upstream has this name: did you mean \(quoted(meant))?")
        }
        let shown = upstreams.prefix(8).map(quoted).joined(separator: ", ")
        throw InvalidValue("no upstream has this name: expected one of \(shown)\(upstreams.count > 8 ? ", ..." : "")")
    }

    /// Warns of settings that would distribute requests among targets, but have no effect.
    mutating func warnOfChoices(without model: ModelConfiguration, in fields: Fields, _ targets: [DecodedTarget]) {
        let weight = targets.lazy.compactMap(\.weightPosition).first
        guard targets.count > 1 else {
            for key in ["choose", "affinity"] {
                guard targets.count == 1, let entry = fields[key] else { continue }
                warnings.add(
                    "\(key): with one target there is nothing to choose: add another one, or remove it",
                    at: entry.keyPosition)
            }
            if let weight {
                warnings.add("weight: with one target there is nothing to share: remove it", at: weight)
            }
            return
        }
        guard let weight, model.choice != .weighted, model.affinity == .none else { return }
        warnings.add(
            "weight: without choose: weighted or an affinity it changes nothing: add one of them, or remove it",
            at: weight)
    }
}
