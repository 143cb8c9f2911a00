/// Reading of the parts of multipart forms.
extension MessageReader {
    /// Reads the properties of a form's parts, except their types.
    func readParts(of node: DocumentNode, into content: inout Content) {
        guard content.kind == .form else { return }
        let schema = node["schema"].flatMap(target)
        if case .boolean(false)? = schema?["additionalProperties"]?.value { content.isClosed = true }
        for (name, property) in schema.map({ properties(of: $0, depth: 0) }) ?? [] {
            content.parts[name] = PartNotes(isFile: isFile(property, depth: 0))
        }
        guard case .mapping(let encodings)? = node["encoding"]?.value else { return }
        for encoding in encodings {
            guard let node = followed(encoding.value) else { continue }
            var notes = content.parts[encoding.key] ?? PartNotes()
            if let type = node["contentType"]?.text?.prefix(while: { $0 != ";" }).lowercased(),
                type.wholeMatch(of: /[a-z0-9!#$&^_.+-]+\/[a-z0-9!#$&^_.+-]+/) != nil
            {
                notes.contentType = type == "text/plain" ? nil : type
                notes.isFile = notes.isFile && notes.contentType != nil
            }
            if case .mapping(let headers)? = node["headers"]?.value {
                notes.headers = headers.compactMap(header).filter { $0.name != "content-type" }
            }
            content.parts[encoding.key] = notes
        }
    }

    private func properties(of node: DocumentNode, depth: Int) -> [(String, DocumentNode)] {
        guard depth < 8, let node = target(node) else { return [] }
        var found = (node["allOf"]?.items ?? []).flatMap { properties(of: $0, depth: depth + 1) }
        if case .mapping(let members)? = node["properties"]?.value { found += members.map { ($0.key, $0.value) } }
        return found
    }

    /// Returns whether a property, or one of its elements, contains bytes.
    private func isFile(_ node: DocumentNode, depth: Int) -> Bool {
        guard depth < 8, let node = target(node) else { return false }
        if let format = node["format"]?.text, ["binary", "byte", "base64"].contains(format) { return true }
        if node["contentMediaType"]?.text != nil || node["contentEncoding"]?.text != nil { return true }
        let parts = [node["items"]].compactMap { $0 } + ["allOf", "anyOf", "oneOf"].flatMap { node[$0]?.items ?? [] }
        return parts.contains { isFile($0, depth: depth + 1) }
    }

    private func target(_ node: DocumentNode) -> DocumentNode? {
        var node = node
        for _ in 0..<16 {
            guard let reference = node["$ref"]?.text else { return node }
            guard let next = references.target(of: reference) else { return nil }
            node = next
        }
        return nil
    }
}
