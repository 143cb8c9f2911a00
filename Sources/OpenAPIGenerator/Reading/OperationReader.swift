/// Reads the paths.
struct OperationReader {
    let diagnostics: Diagnostics
    let messages: MessageReader
    let tags: Set<String>
    /// What holds where nothing else is said.
    let servers: [Server]
    let needsKey: Bool

    private static let methods = ["get", "put", "post", "delete", "patch"]

    func read(path: DocumentNode.Member) -> [Operation] {
        guard var members = Members(path.value, "a path", diagnostics) else { return [] }
        if !path.key.hasPrefix("/") { diagnostics.report(path.keyPosition, "a path starts with '/'") }
        members.ignore("summary", "description")
        let own = members.node("servers")
        if let own, diagnostics.style.isLibrary {
            diagnostics.report(own.position, "'servers' of a path is not supported, only those of the document")
        }
        let servers = own.map(ServerReader(diagnostics: diagnostics).read) ?? servers
        let shared = members.list("parameters").compactMap(messages.parameter)
        let operations = OperationReader.methods.compactMap { method in
            members.node(method).flatMap { read($0, method, path.key, servers, shared) }
        }
        members.finish()
        return operations
    }

    private func read(
        _ node: DocumentNode, _ method: String, _ path: String, _ servers: [Server], _ shared: [Parameter]
    ) -> Operation? {
        guard var members = Members(node, "an operation", diagnostics), let id = id(&members, method, path) else {
            return nil
        }
        for tag in members.list("tags") where !diagnostics.style.isLibrary {
            if case .string(let name) = tag.value, tags.contains(name) { continue }
            diagnostics.report(tag.position, "a tag of an operation must be among the tags of the document")
        }
        let summary = members.string("summary")
        let relay = diagnostics.style.isLibrary ? nil : members.string("x-headgate-relay")
        let own = members.list("parameters").compactMap(messages.parameter)
        let parameters =
            shared.filter { shared in
                !own.contains { $0.name == shared.name && $0.location == shared.location }
            } + own
        let body = members.node("requestBody").flatMap(messages.body)
        let responses = members.named("responses")
        let security = members.node("security").map { OperationReader.needsKey($0, diagnostics) }
        members.ignore("description", "externalDocs", "deprecated")
        members.finish()
        check(parameters, path, node.position)
        if responses.isEmpty { diagnostics.report(node.position, "an operation needs responses") }
        return Operation(
            position: node.position, id: id, method: method, path: path,
            paths: diagnostics.style.isLibrary ? [path] : servers.map { $0.prefix + path }, summary: summary,
            needsKey: security ?? needsKey, relay: relay, parameters: parameters, body: body,
            answers: responses.compactMap(answer))
    }

    /// One without an id is called by its method and path, in a library.
    private func id(_ members: inout Members, _ method: String, _ path: String) -> String? {
        guard diagnostics.style.isLibrary else { return members.requiredString("operationId") }
        return members.string("operationId") ?? SwiftName.member(method + " " + path)
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

    /// Whether a list of requirements asks for anything.
    static func needsKey(_ node: DocumentNode, _ diagnostics: Diagnostics) -> Bool {
        guard case .sequence(let items) = node.value else {
            diagnostics.report(node.position, "'security' must be a list, not \(node.kind)")
            return true
        }
        return !items.isEmpty
    }
}
