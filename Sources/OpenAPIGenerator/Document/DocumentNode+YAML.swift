internal import Yams

extension DocumentNode {
    /// - Throws: ``GenerationFailure`` if the text is not YAML. Values that differ between YAML 1.1 and 1.2 are
    ///   reported.
    init(yaml: String, diagnostics: Diagnostics) throws(GenerationFailure) {
        if diagnostics.style.isLibrary, let root = JSONParser.parse(yaml) {
            self = root
            return
        }
        do {
            guard let root = try Yams.compose(yaml: yaml) else {
                self.init(position: SourcePosition(line: 1, column: 1), value: .null)
                return
            }
            self.init(root, diagnostics)
        } catch {
            let (mark, problem) = DocumentNode.explain(error)
            diagnostics.report(SourcePosition(line: mark?.line ?? 1, column: mark?.column ?? 1), problem)
            try diagnostics.check()
            self.init(position: SourcePosition(line: 1, column: 1), value: .null)
        }
    }

    private init(_ node: Node, _ diagnostics: Diagnostics) {
        position = SourcePosition(node.mark)
        guard diagnostics.count(position) else {
            value = .null
            return
        }
        switch node {
        case .scalar(let scalar):
            value = DocumentNode.scalar(scalar, tag: node.tag.rawValue, position, diagnostics)
        case .sequence(let sequence):
            value = .sequence(sequence.map { DocumentNode($0, diagnostics) })
        case .mapping(let mapping):
            value = .mapping(
                DocumentNode.merged(
                    mapping.map { key, value in
                        Member(
                            key: key.scalar?.string ?? "", keyPosition: SourcePosition(key.mark),
                            value: DocumentNode(value, diagnostics))
                    }))
        case .alias: value = .null
        }
    }

    /// Returns the members with those that `<<` merges. The mapping's own members take precedence.
    private static func merged(_ members: [Member]) -> [Member] {
        guard members.contains(where: { $0.key == "<<" }) else { return members }
        var all = members.filter { $0.key != "<<" }
        for merge in members where merge.key == "<<" {
            let sources: [DocumentNode] =
                if case .sequence(let items) = merge.value.value { items } else { [merge.value] }
            for case .mapping(let others) in sources.map(\.value) {
                all += others.filter { other in !all.contains { $0.key == other.key } }
            }
        }
        return all
    }

    private static func scalar(
        _ scalar: Node.Scalar, tag: String, _ position: SourcePosition, _ diagnostics: Diagnostics
    ) -> Value {
        let text = scalar.string
        guard scalar.style == .plain else { return .string(text) }
        switch text {
        case "", "~", "null": return .null
        case "true": return .boolean(true)
        case "false": return .boolean(false)
        default:
            if text.wholeMatch(of: /-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?/) != nil { return .number(text) }
            if tag != "tag:yaml.org,2002:str", diagnostics.style.isStrict {
                diagnostics.report(position, "'\(text)' is not a string to every reader of YAML: put it in quotes")
            }
            return .string(text)
        }
    }

    private static func explain(_ error: any Error) -> (Mark?, String) {
        switch error {
        case YamlError.scanner(_, let problem, let mark, _), YamlError.parser(_, let problem, let mark, _),
            YamlError.composer(_, let problem, let mark, _):
            (mark, problem)
        case YamlError.duplicatedKeysInMapping(let duplicates, let context):
            (context.mark, "the mapping that starts here has two members named '\(duplicates.first ?? "")'")
        default: (nil, "\(error)")
        }
    }
}

extension SourcePosition {
    fileprivate init(_ mark: Mark?) { self.init(line: mark?.line ?? 1, column: mark?.column ?? 1) }
}
