/// Members of a mapping that is being read. Unread members are unsupported.
struct Members {
    let position: SourcePosition
    /// Name of the object with its article, such as `an operation`.
    let subject: String
    let diagnostics: Diagnostics
    private let all: [DocumentNode.Member]
    private var asked: Set<String> = []

    /// Creates the members; nil, with a report, if the node is not a mapping.
    init?(_ node: DocumentNode, _ subject: String, _ diagnostics: Diagnostics) {
        guard case .mapping(let members) = node.value else {
            diagnostics.report(node.position, "\(subject) must be a mapping, not \(node.kind)")
            return nil
        }
        position = node.position
        self.subject = subject
        self.diagnostics = diagnostics
        all = members
    }

    mutating func node(_ name: String) -> DocumentNode? {
        asked.insert(name)
        return all.first { $0.key == name }?.value
    }

    mutating func required(_ name: String) -> DocumentNode? {
        let found = node(name)
        if found == nil { diagnostics.report(position, "\(subject) needs '\(name)'") }
        return found
    }

    mutating func string(_ name: String) -> String? { node(name).flatMap { text($0, name) } }

    mutating func requiredString(_ name: String) -> String? { required(name).flatMap { text($0, name) } }

    mutating func boolean(_ name: String) -> Bool? {
        guard let node = node(name) else { return nil }
        guard case .boolean(let flag) = node.value else {
            diagnostics.warn(node.position, "'\(name)' of \(subject) must be a boolean, not \(node.kind)")
            return nil
        }
        return flag
    }

    mutating func list(_ name: String) -> [DocumentNode] {
        guard let node = node(name) else { return [] }
        guard case .sequence(let items) = node.value else {
            diagnostics.warn(node.position, "'\(name)' of \(subject) must be a list, not \(node.kind)")
            return []
        }
        return items
    }

    mutating func strings(_ name: String) -> [String] { list(name).compactMap { text($0, name) } }

    /// Returns the members of a mapping whose names are defined by the document.
    mutating func named(_ name: String) -> [DocumentNode.Member] {
        guard let node = node(name) else { return [] }
        guard case .mapping(let members) = node.value else {
            diagnostics.warn(node.position, "'\(name)' of \(subject) must be a mapping, not \(node.kind)")
            return []
        }
        return members
    }

    /// Ignores members without an effect on generated code.
    mutating func ignore(_ names: String...) { asked.formUnion(names) }

    /// Reports every member that was not read.
    func finish() {
        let supported = asked.sorted().joined(separator: ", ")
        for member in all where !asked.contains(member.key) {
            // Extensions of other tools have no effect on the generated code.
            if diagnostics.style.isLibrary, member.key.hasPrefix("x-") { continue }
            guard diagnostics.style.isStrict else {
                diagnostics.warn(member.keyPosition, "'\(member.key)' of \(subject) has no effect")
                continue
            }
            diagnostics.report(
                member.keyPosition, "'\(member.key)' of \(subject) is not supported; supported are: \(supported)")
        }
    }

    private func text(_ node: DocumentNode, _ name: String) -> String? {
        guard case .string(let text) = node.value else {
            diagnostics.warn(node.position, "'\(name)' of \(subject) must be a string, not \(node.kind)")
            return nil
        }
        return text
    }
}
