/// Reads servers.
struct ServerReader {
    let diagnostics: Diagnostics

    func read(_ node: DocumentNode) -> [Server] {
        guard case .sequence(let items) = node.value else {
            diagnostics.warn(node.position, "'servers' must be a list, not \(node.kind)")
            return []
        }
        return items.compactMap { node in diagnostics.attempt("the server is left out") { server(node) } }
    }

    private func server(_ node: DocumentNode) -> Server? {
        guard var members = Members(node, "a server", diagnostics) else { return nil }
        let url = members.requiredString("url")
        let description = members.string("description")
        let isLibrary = diagnostics.style.isLibrary
        let variables = isLibrary ? members.named("variables").map(variable) : []
        if isLibrary { members.ignore("name") }
        members.finish()
        guard let url else { return nil }
        if isLibrary, url.contains("{"), let template = template(url, variables, node.position) {
            return Server(position: node.position, place: template, prefix: "", description: description)
        }
        guard let (place, prefix) = ServerReader.parse(url) else {
            if isLibrary, !diagnostics.style.isStrict {
                diagnostics.warn(node.position, "the server '\(url)' is left out: its 'url' cannot be read")
                return nil
            }
            diagnostics.report(
                node.position,
                "the 'url' of a server must be a path, or begin with http:// or https:// and have a host and perhaps a "
                    + "port and a path, without variables")
            return nil
        }
        if case .host = place, !isLibrary {
            diagnostics.report(node.position, "the 'url' of a server must be a path, such as '/v1'")
        }
        return Server(position: node.position, place: place, prefix: prefix, description: description)
    }

    /// Returns the place of a URL with variables; nil unless it is absolute. An undescribed variable has no default.
    private func template(_ url: String, _ variables: [Server.Variable], _ position: SourcePosition) -> Server.Place? {
        let names = url.matches(of: /\{([^}]*)\}/).map { String($0.1) }.withoutRepetitions
        let found = names.map { name in
            variables.first { $0.name == name }
                ?? Server.Variable(name: name, initial: "", values: [], description: nil)
        }
        var filled = url
        for variable in found {
            let value = variable.initial.isEmpty ? "x" : variable.initial
            filled = filled.replacing("{\(variable.name)}", with: value)
        }
        // A relative URL depends on the document's location, which is unknown here.
        guard case .host? = ServerReader.parse(filled)?.0 else { return nil }
        return .template(url, found)
    }

    private func variable(_ member: DocumentNode.Member) -> Server.Variable {
        Server.Variable(
            name: member.key, initial: member.value["default"]?.scalarText ?? "",
            values: (member.value["enum"]?.items.compactMap(\.scalarText) ?? []).withoutRepetitions,
            description: member.value["description"]?.text)
    }

    private static func parse(_ url: String) -> (Server.Place, prefix: String)? {
        let isPlain = url.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"{}?#@\"\\".utf8.contains($0) }
        guard isPlain else { return nil }
        if url.hasPrefix("/"), !url.hasPrefix("//") { return (.relative, prefix(url[...])) }
        let isTLS = url.hasPrefix("https://")
        guard isTLS || url.hasPrefix("http://") else { return nil }
        let rest = url.dropFirst(isTLS ? 8 : 7)
        let authority = rest.prefix { $0 != "/" }
        var host = authority
        var port = isTLS ? 443 : 80
        if let colon = authority.lastIndex(of: ":"), !authority.hasSuffix("]") {
            guard let number = Int(authority[colon...].dropFirst()), (1...65535).contains(number) else { return nil }
            host = authority[..<colon]
            port = number
        }
        if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
        guard !host.isEmpty else { return nil }
        return (.host(String(host), port: port, isTLS: isTLS), prefix(rest.dropFirst(authority.count)))
    }

    private static func prefix(_ path: Substring) -> String {
        var path = path
        while path.hasSuffix("/") { path = path.dropLast() }
        return String(path)
    }
}
