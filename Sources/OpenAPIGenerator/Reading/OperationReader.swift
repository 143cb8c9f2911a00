/// Reads paths and their operations.
struct OperationReader {
    let diagnostics: Diagnostics
    let messages: MessageReader
    /// Names of the component responses that are valid.
    let responses: Set<String>
    let tags: Set<String>
    /// Default servers.
    let servers: [Server]
    let needsKey: Bool
    let filter: DocumentFilter?

    private static let methods = ["get", "put", "post", "delete", "patch"]
    private static let otherMethods = ["options", "head", "trace", "query"]

    private var style: CodeStyle { diagnostics.style }

    /// - Parameter all: Receives the servers that operations of a library have in addition to the document's.
    func read(path: DocumentNode.Member, servers all: inout [Server]) -> [Operation] {
        if style.isLibrary, path.key.hasPrefix("x-") { return [] }
        let target =
            style.isLibrary
            ? diagnostics.attempt("'\(path.key)' is left out") { messages.followed(path.value) } : path.value
        let readable = target.flatMap { node in
            diagnostics.attempt("'\(path.key)' is left out") { Members(node, "a path", diagnostics) }
        }
        guard var members = readable else { return [] }
        guard path.key.hasPrefix("/") else {
            diagnostics.warn(path.keyPosition, "a path starts with '/'; '\(path.key)' is left out")
            return []
        }
        // Some documents use a fragment to distinguish operations of one path.
        let sent = style.isLibrary ? String(path.key.prefix { $0 != "#" }) : path.key
        if sent != path.key { diagnostics.warn(path.keyPosition, "what is behind '#' in '\(path.key)' is not sent") }
        members.ignore("summary", "description")
        if style.isLibrary { members.ignore("$ref") }
        let own = members.node("servers")
        if let own, style.isLibrary { note(own, of: "'\(path.key)'", &all) }
        let servers = style.isLibrary ? [] : own.map(ServerReader(diagnostics: diagnostics).read) ?? servers
        let shared = members.list("parameters")
        let methods = OperationReader.methods + (style.isLibrary ? OperationReader.otherMethods : [])
        var found: [Operation] = []
        for method in methods {
            guard let node = members.node(method) else { continue }
            guard filter.map({ $0.includes(node, path.key) }) ?? true else { continue }
            let name = "\(method.uppercased()) \(path.key)"
            if style.isLibrary, let own = node["servers"] { note(own, of: "'\(name)'", &all) }
            let operation = diagnostics.attempt("'\(name)' is left out") {
                read(node, method, sent, servers, shared)
            }
            if let operation { found.append(operation) }
        }
        members.finish()
        return found
    }

    /// Records servers of a path or an operation that differ from the document's, and warns about them, because a
    /// client has only one server.
    private func note(_ node: DocumentNode, of subject: String, _ all: inout [Server]) {
        var names: [String] = []
        for server in ServerReader(diagnostics: diagnostics).read(node) {
            let index = all.firstIndex { $0.isSame(as: server) } ?? all.count
            if index == all.count { all.append(server) }
            names.append("Servers.Server\(index + 1)")
        }
        let isOwn = names.contains { name in !servers.indices.contains { name == "Servers.Server\($0 + 1)" } }
        guard isOwn, let first = names.first else { return }
        if servers.isEmpty { return }
        diagnostics.warn(node.position, "\(subject) has servers of its own: a client of '\(first)' reaches it")
    }

    private func read(
        _ node: DocumentNode, _ method: String, _ path: String, _ servers: [Server], _ shared: [DocumentNode]
    ) -> Operation? {
        guard var members = Members(node, "an operation", diagnostics), let id = id(&members, method, path) else {
            return nil
        }
        let tagNodes = members.list("tags")
        for tag in tagNodes where !style.isLibrary {
            if case .string(let name) = tag.value, tags.contains(name) { continue }
            diagnostics.report(tag.position, "a tag of an operation must be among the tags of the document")
        }
        let summary = members.string("summary")
        let relay = style.isLibrary ? nil : members.string("x-headgate-relay")
        let own = members.list("parameters").compactMap(messages.parameter)
        let inherited = shared.compactMap(messages.parameter).filter { shared in
            !own.contains { $0.name == shared.name && $0.location == shared.location }
        }
        var parameters = inherited + own
        // The `Accept` header is derived from the media types of the responses.
        if style.isLibrary { parameters.removeAll { $0.location == .header && $0.name == "accept" } }
        let body = members.node("requestBody").flatMap(messages.body)
        let responses = members.named("responses")
        let security = members.node("security").map { OperationReader.needsKey($0, diagnostics) }
        members.ignore("description", "externalDocs", "deprecated")
        if style.isLibrary { members.ignore("servers") }
        members.finish()
        check(&parameters, path, node.position)
        if responses.isEmpty { diagnostics.warn(node.position, "an operation needs responses") }
        var operation = Operation(
            position: node.position, id: id, method: method, path: path,
            paths: style.isLibrary ? [path] : servers.map { $0.prefix + path }, summary: summary,
            needsKey: security ?? needsKey, relay: relay, parameters: parameters, body: body,
            answers: responses.compactMap(answer).sorted { OperationReader.rank($0.0) < OperationReader.rank($1.0) })
        operation.tags = tagNodes.compactMap(\.text)
        return operation
    }

    /// Returns the id of an operation. In a library, an operation without an id is named after its method and path.
    private func id(_ members: inout Members, _ method: String, _ path: String) -> String? {
        guard style.isLibrary else { return members.requiredString("operationId") }
        let id = members.string("operationId") ?? ""
        return id.isEmpty ? method + " " + path : id
    }

    /// Returns the order of statuses: codes first, then ranges, then the default.
    private static func rank(_ status: Operation.Status) -> Int {
        switch status {
        case .code: 0
        case .range: 1
        case .default: 2
        }
    }

    private func answer(_ member: DocumentNode.Member) -> (Operation.Status, Operation.Answer)? {
        if style.isLibrary, member.key.hasPrefix("x-") { return nil }
        guard let answer = messages.answer(member.value, responses) else { return nil }
        if member.key == "default" { return (.default, answer) }
        if style.isLibrary, let range = member.key.lowercased().wholeMatch(of: /([1-5])xx/) {
            return (.range(Int(range.1) ?? 0), answer)
        }
        let codes = style.isLibrary ? 100...599 : 200...599
        guard let code = Int(member.key), codes.contains(code) else {
            diagnostics.warn(
                member.keyPosition,
                style.isLibrary
                    ? "status '\(member.key)' has no effect: it is no code, no range such as '4XX', and not 'default'"
                    : "status '\(member.key)' is not supported; supported are: a code from 200 to 599, and default")
            return nil
        }
        return (.code(code), answer)
    }

    private func check(_ parameters: inout [Parameter], _ path: String, _ position: SourcePosition) {
        let inTemplate = path.matches(of: /\{([^}]*)\}/).map { String($0.1) }
        let described = parameters.filter { $0.location == .path }
        for name in inTemplate.withoutRepetitions where !described.contains(where: { $0.name == name }) {
            diagnostics.warn(position, "the path parameter '\(name)' is not described")
            parameters.append(messages.text(name, .path, position))
        }
        for parameter in described where !inTemplate.contains(parameter.name) {
            diagnostics.warn(parameter.position, "the path '\(path)' has no '{\(parameter.name)}'")
            parameters.removeAll { $0.location == .path && $0.name == parameter.name }
        }
    }

    /// Returns whether a list of security requirements requires a key.
    static func needsKey(_ node: DocumentNode, _ diagnostics: Diagnostics) -> Bool {
        guard case .sequence(let items) = node.value else {
            diagnostics.warn(node.position, "'security' must be a list, not \(node.kind)")
            return true
        }
        return !items.isEmpty
            && !items.contains { if case .mapping(let members) = $0.value { members.isEmpty } else { false } }
    }
}

extension DocumentFilter {
    fileprivate func includes(_ operation: DocumentNode, _ path: String) -> Bool {
        includes(
            id: operation["operationId"]?.text, path: path, tags: operation["tags"]?.items.compactMap(\.text) ?? [])
    }
}

extension Server {
    fileprivate func isSame(as other: Server) -> Bool {
        guard prefix == other.prefix else { return false }
        switch (place, other.place) {
        case (.host(let host, let port, let isTLS), .host(let name, let number, let hasTLS)):
            return host == name && port == number && isTLS == hasTLS
        case (.relative, .relative): return true
        case (.template(let url, _), .template(let text, _)): return url == text
        default: return false
        }
    }
}
