/// Reads the paths.
struct OperationReader {
    let diagnostics: Diagnostics
    let messages: MessageReader
    let tags: Set<String>
    /// What holds where nothing else is said.
    let servers: [String]
    let needsKey: Bool

    private static let methods = ["get", "put", "post", "delete", "patch"]

    func read(path: DocumentNode.Member) -> [Operation] {
        guard var members = Members(path.value, "a path", diagnostics) else { return [] }
        if !path.key.hasPrefix("/") { diagnostics.report(path.keyPosition, "a path starts with '/'") }
        let own = members.node("servers").map { OperationReader.servers($0, diagnostics) }
        let operations = OperationReader.methods.compactMap { method in
            members.node(method).flatMap { read($0, method, path.key, own ?? servers) }
        }
        members.finish()
        return operations
    }

    private func read(_ node: DocumentNode, _ method: String, _ path: String, _ servers: [String]) -> Operation? {
        guard var members = Members(node, "an operation", diagnostics),
            let id = members.requiredString("operationId")
        else { return nil }
        for tag in members.list("tags") {
            if case .string(let name) = tag.value, tags.contains(name) { continue }
            diagnostics.report(tag.position, "a tag of an operation must be among the tags of the document")
        }
        let summary = members.requiredString("summary") ?? ""
        let relay = members.string("x-headgate-relay")
        let parameters = members.list("parameters").compactMap(messages.parameter)
        let body = members.node("requestBody").flatMap(messages.body)
        let responses = members.named("responses")
        let security = members.node("security").map { OperationReader.needsKey($0, diagnostics) }
        members.ignore("description", "externalDocs")
        members.finish()
        check(parameters, path, node.position)
        if responses.isEmpty { diagnostics.report(node.position, "an operation needs responses") }
        if let body, relay == nil, body.kind == .form {
            diagnostics.report(
                body.position, "a form is supported only where 'x-headgate-relay' says that it is relayed")
        }
        return Operation(
            position: node.position, id: id, method: method, path: path,
            paths: servers.map { $0.hasSuffix("/") ? $0.dropLast() + path : $0 + path }, summary: summary,
            needsKey: security ?? needsKey, relay: relay, parameters: parameters, body: body,
            answers: responses.compactMap(answer))
    }

    private func answer(_ member: DocumentNode.Member) -> (Operation.Status, Operation.Answer)? {
        guard let answer = messages.answer(member.value) else { return nil }
        if member.key == "default" { return (.default, answer) }
        guard let code = Int(member.key), (200...599).contains(code) else {
            diagnostics.report(
                member.keyPosition,
                "status '\(member.key)' is not supported; supported are: a code from 200 to 599, and default")
            return nil
        }
        return (.code(code), answer)
    }

    private func check(_ parameters: [Parameter], _ path: String, _ position: SourcePosition) {
        let inTemplate = path.matches(of: /\{([^}]*)\}/).map { String($0.1) }
        let described = parameters.filter { $0.location == .path }
        for name in inTemplate where !described.contains(where: { $0.name == name }) {
            diagnostics.report(position, "the path parameter '\(name)' is not described")
        }
        for parameter in described where !inTemplate.contains(parameter.name) {
            diagnostics.report(parameter.position, "the path '\(path)' has no '{\(parameter.name)}'")
        }
    }

    /// The URLs of a list of servers.
    static func servers(_ node: DocumentNode, _ diagnostics: Diagnostics) -> [String] {
        guard case .sequence(let items) = node.value else {
            diagnostics.report(node.position, "'servers' must be a list, not \(node.kind)")
            return []
        }
        return items.compactMap { item in
            guard var members = Members(item, "a server", diagnostics) else { return nil }
            let url = members.requiredString("url")
            members.ignore("description")
            members.finish()
            guard let url, url.hasPrefix("/") else {
                diagnostics.report(item.position, "the 'url' of a server must be a path, such as '/v1'")
                return nil
            }
            return url
        }
    }

    /// Whether a list of requirements asks for anything.
    static func needsKey(_ node: DocumentNode, _ diagnostics: Diagnostics) -> Bool {
        guard case .sequence(let items) = node.value else {
            diagnostics.report(node.position, "'security' must be a list, not \(node.kind)")
            return true
        }
        return !items.isEmpty
    }
}
