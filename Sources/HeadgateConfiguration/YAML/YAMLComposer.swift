internal import HeadgatePrimitives

/// Builds the node tree from events without recursion. Rejects the parts of YAML that a configuration does not need.
/// They are rejected because their surprises (and, for aliases, their memory) cost more than they save in typing.
struct YAMLComposer {
    static let maximumDepth = 64

    /// An open collection.
    private struct Frame {
        let isMapping: Bool
        let position: SourcePosition
        var items: [YAMLNode] = []
        var entries: [YAMLEntry] = []
        var keyPositions: [ExactText: SourcePosition] = [:]
        var key: (text: String, position: SourcePosition)?

        var awaitsKey: Bool { isMapping && key == nil }
    }

    private var frames: [Frame] = []
    private var root: YAMLNode?
    private var documents = 0

    private init() {}

    /// Returns the root of the only document: a null node for an empty text, and nil if the text could not be read to
    /// its end. All problems become issues, even those that leave a tree worth decoding.
    static func compose(_ text: [UInt8], issues: inout IssueList) -> YAMLNode? {
        let start = SourcePosition(line: 1, column: 1)
        guard var parser = YAMLEventParser(text) else {
            issues.add("there is not enough memory to read the file", at: start)
            return nil
        }
        var composer = YAMLComposer()
        do throws(YAMLSyntaxError) {
            while true {
                let event = try parser.next()
                if case .streamEnd = event.kind { break }
                try composer.take(event, issues: &issues)
            }
        } catch {
            issues.add(error.message, at: error.position)
            return nil
        }
        return composer.root ?? YAMLNode(.scalar("", isPlain: true), at: start)
    }

    private mutating func take(_ event: YAMLEvent, issues: inout IssueList) throws(YAMLSyntaxError) {
        switch event.decoration {
        case .anchor: issues.add("anchors (&name) are not supported: write the value out", at: event.position)
        case .tag: issues.add("tags (!name, %TAG) are not supported: write the value without one", at: event.position)
        case nil: break
        }
        switch event.kind {
        case .scalar(let text, let isPlain):
            if frames.last?.awaitsKey == true {
                takeKey(text, at: event.position, issues: &issues)
            } else {
                attach(YAMLNode(.scalar(text, isPlain: isPlain), at: event.position))
            }
        case .sequenceStart, .mappingStart:
            try refuseCollectionAsKey(at: event.position)
            guard frames.count < Self.maximumDepth else {
                throw YAMLSyntaxError(
                    position: event.position, message: "nested deeper than \(Self.maximumDepth) levels: flatten it")
            }
            var isMapping = false
            if case .mappingStart = event.kind { isMapping = true }
            frames.append(Frame(isMapping: isMapping, position: event.position))
        case .collectionEnd:
            guard let frame = frames.popLast() else { return }
            attach(
                YAMLNode(frame.isMapping ? .mapping(frame.entries) : .sequence(frame.items), at: frame.position))
        case .alias:
            try refuseCollectionAsKey(at: event.position)
            issues.add("aliases (*name) are not supported: write the value out, or in quotes", at: event.position)
            attach(YAMLNode(.refused, at: event.position))
        case .documentStart:
            documents += 1
            guard documents == 1 else {
                throw YAMLSyntaxError(
                    position: event.position, message: "a second document (---): keep one document in the file")
            }
        case .boundary, .streamEnd:
            break
        }
    }

    private mutating func takeKey(_ text: String, at position: SourcePosition, issues: inout IssueList) {
        let last = frames.count - 1
        let key = ExactText(text)
        if let first = frames[last].keyPositions[key] {
            issues.add(
                "duplicate key \(quoted(text)): it is already at line \(first.line); keep one of them", at: position)
        } else {
            frames[last].keyPositions[key] = position
        }
        frames[last].key = (text, position)
    }

    private func refuseCollectionAsKey(at position: SourcePosition) throws(YAMLSyntaxError) {
        guard frames.last?.awaitsKey == true else { return }
        throw YAMLSyntaxError(position: position, message: "a key must be text: put it in quotes")
    }

    private mutating func attach(_ node: YAMLNode) {
        guard !frames.isEmpty else {
            root = node
            return
        }
        let last = frames.count - 1
        if let key = frames[last].key {
            frames[last].entries.append(YAMLEntry(key: key.text, keyPosition: key.position, value: node))
            frames[last].key = nil
        } else {
            frames[last].items.append(node)
        }
    }
}
