import JSONBytes

/// Entries of a JSON settings file. Every other byte of the file stays.
package struct JSONSettings: Sendable {
    package struct Entry: Sendable {
        let path: [JSONStep]
        let value: SettingsValue

        package init(_ path: [JSONStep], _ value: SettingsValue) { (self.path, self.value) = (path, value) }

        /// - Parameter members: The names of nested objects, outermost first.
        package init(_ members: String..., value: SettingsValue) {
            self.init(members.map(JSONStep.member), value)
        }
    }

    /// Whether the app accepts comments and trailing commas.
    let isRelaxed: Bool
    let entries: [Entry]

    package init(relaxed isRelaxed: Bool, _ entries: [Entry]) { (self.isRelaxed, self.entries) = (isRelaxed, entries) }

    /// The document to start from if the app has no settings.
    private var blank: String {
        if case .element? = entries.first?.path.first { return "[]\n" }
        return "{}\n"
    }

    // MARK: Writing

    /// Returns the text with all entries set; the same text if they already are.
    func applying(to text: String) throws(EditRefusal) -> String {
        var document = Array((TextLines.trimmed(text).isEmpty ? blank : text).utf8)
        for entry in entries { document = try set(entry, in: document) }
        _ = try tree(of: document)
        return String(decoding: document, as: UTF8.self)
    }

    private func set(_ entry: Entry, in document: [UInt8]) throws(EditRefusal) -> [UInt8] {
        let tree = try tree(of: document)
        var node = tree.root
        for (depth, step) in entry.path.enumerated() {
            let children = try JSONSettings.children(of: node, for: step)
            guard let index = node.index(of: step) else {
                let value = JSONSettings.nested(entry.value, under: entry.path[(depth + 1)...])
                return JSONInsertion(document, tree).adding(value, step, to: node)
            }
            node = children[index].value
        }
        let old = Array(document[node.range])
        let new = JSONInsertion(document, tree).rendered(entry.value, at: node.range.lowerBound)
        return RelaxedJSON.compact(old) == RelaxedJSON.compact(Array(new.utf8))
            ? document : JSONSettings.replacing(node.range, with: new, in: document)
    }

    /// Returns the children that a step can select.
    private static func children(
        of node: JSONTree.Node, for step: JSONStep
    ) throws(EditRefusal) -> [JSONTree.Child] {
        switch (step, node.content) {
        case (.member, .object(let children)), (.element, .array(let children)): return children
        case (.member(let name), _):
            throw EditRefusal("has another kind of value where an object with \"\(name)\" belongs")
        case (.element, _): throw EditRefusal("has another kind of value where a list belongs")
        }
    }

    /// Returns a value wrapped in new objects and arrays for the rest of its path.
    private static func nested(_ value: SettingsValue, under path: ArraySlice<JSONStep>) -> SettingsValue {
        path.reversed().reduce(value) { value, step in
            switch step {
            case .member(let name): .object([.init(name, value)])
            case .element: .array([value])
            }
        }
    }

    // MARK: Removing

    /// Returns the text without the entries, or with the values that the original has at their places.
    func removing(from text: String, original: String?) throws(EditRefusal) -> String {
        guard !TextLines.trimmed(text).isEmpty else { return text }
        var document = Array(text.utf8)
        let former = try original.flatMap { text throws(EditRefusal) -> JSONTree? in
            TextLines.trimmed(text).isEmpty ? nil : try tree(of: Array(text.utf8))
        }
        for entry in entries.reversed() {
            let tree = try tree(of: document)
            guard let node = tree.root.value(at: entry.path) else { continue }
            if let original, let old = former?.root.value(at: entry.path) {
                let value = String(decoding: Array(original.utf8)[old.range], as: UTF8.self)
                document = JSONSettings.replacing(node.range, with: value, in: document)
            } else {
                document = try prune(entry.path, in: document, former: former)
            }
        }
        _ = try tree(of: document)
        return String(decoding: document, as: UTF8.self)
    }

    /// Removes a value and the containers that are empty without it, unless the original has them.
    private func prune(
        _ path: [JSONStep], in document: [UInt8], former: JSONTree?
    ) throws(EditRefusal) -> [UInt8] {
        var (path, document) = (path[...], document)
        while let step = path.last {
            let tree = try tree(of: document)
            path = path.dropLast()
            guard let parent = tree.root.value(at: path), let index = parent.index(of: step) else { break }
            document = JSONRemoval(document, tree).removing(index, of: parent)
            guard parent.children?.count == 1, former?.root.value(at: path) == nil else { break }
        }
        return document
    }

    /// Returns whether the text has an entry that only this command writes: one named after the gateway, or one with
    /// its address.
    func isPresent(in text: String) -> Bool {
        guard let tree = try? tree(of: Array(text.utf8)) else { return false }
        return entries.contains { entry in
            guard let node = tree.root.value(at: entry.path) else { return false }
            if entry.path.contains(where: \.namesGateway) { return true }
            guard case .string(let address) = entry.value, address.hasPrefix("http"),
                case .string(address) = node.content
            else { return false }
            return true
        }
    }

    // MARK: Documents

    private func tree(of document: [UInt8]) throws(EditRefusal) -> JSONTree {
        do throws(JSONError) {
            return try JSONTree(document, isRelaxed: isRelaxed)
        } catch {
            let line = 1 + document.prefix(error.offset).count { $0 == 0x0A }
            throw EditRefusal("is not valid JSON at line \(line) (\(error))")
        }
    }

    private static func replacing(_ range: Range<Int>, with text: String, in document: [UInt8]) -> [UInt8] {
        document.withUnsafeBytes { JSONSplice.applying([JSONEdit(range, Array(text.utf8))], to: $0) }
    }
}
