/// Writes the servers of the document.
struct ServersWriter {
    let servers: [Server]
    let style: CodeStyle

    func file() -> SourceText {
        guard !servers.isEmpty else { return SourceText(style) }
        var text = SourceText(style, imports: style.runtimeImports)
        text.comment("Where the document says that it is served.")
        text.block("\(style.type)enum Servers") { text in
            for (index, server) in servers.enumerated() {
                if index > 0 { text.gap() }
                text.comment(server.description)
                text.block("\(style.type)enum Server\(index + 1)") { text in declare(server, in: &text) }
            }
            for (index, server) in servers.enumerated() { declareFunction(server, index + 1, in: &text) }
        }
        return text
    }

    /// Declares the function that callers of older generated code use.
    private func declareFunction(_ server: Server, _ number: Int, in text: inout SourceText) {
        if case .relative = server.place { return }
        if case .template(_, let variables) = server.place, variables.contains(where: \.needsValue) { return }
        text.gap()
        text.comment(server.description)
        text.block("\(style.member)static func server\(number)() throws -> BaseURL") { text in
            text.line("try Server\(number).url()")
        }
    }

    private func declare(_ server: Server, in text: inout SourceText) {
        let prefix = SourceLiteral.quoted(server.prefix)
        switch server.place {
        case .host(let host, let port, let isTLS):
            let endpoint = ".\(isTLS ? "tls" : "tcp")(host: \(SourceLiteral.quoted(host)), port: \(port))"
            text.block("\(style.member)static func url() throws -> BaseURL") { text in
                text.line("BaseURL(endpoint: \(endpoint), pathPrefix: \(prefix))")
            }
        case .relative:
            text.comment("- Parameter endpoint: the host, which the document leaves open.")
            text.block("\(style.member)static func url(at endpoint: BaseURL.Endpoint) throws -> BaseURL") { text in
                text.line("BaseURL(endpoint: endpoint, pathPrefix: \(prefix))")
            }
        case .template(let url, let variables): declare(url, variables, in: &text)
        }
    }

    private func declare(_ url: String, _ variables: [Server.Variable], in text: inout SourceText) {
        let names = variables.map(\.name)
        let members = style.names.members(names)
        let types = style.names.types(names, besides: SwiftNames.used)
        for (variable, type) in zip(variables, types) where !variable.values.isEmpty {
            text.comment(variable.description)
            text.block("\(style.type)enum \(type): String, Hashable, Sendable, CaseIterable") { text in
                for (value, member) in zip(variable.values, style.names.members(variable.values)) {
                    text.line("case \(member)" + (member == value ? "" : " = \(SourceLiteral.quoted(value))"))
                }
            }
            text.gap()
        }
        let parameters = variables.enumerated().map { index, variable in
            if let first = variable.values.firstIndex(of: variable.initial) ?? variable.values.indices.first {
                return "\(members[index]): \(types[index]) = .\(style.names.members(variable.values)[first])"
            }
            let initial = variable.initial.isEmpty ? "" : " = \(SourceLiteral.quoted(variable.initial))"
            return "\(members[index]): String\(initial)"
        }
        text.declaration("\(style.member)static func url", parameters, returning: " throws -> BaseURL") { text in
            let values = variables.enumerated().map { index, variable in
                "\(SourceLiteral.quoted(variable.name)): \(members[index])\(variable.values.isEmpty ? "" : ".rawValue")"
            }
            text.list("try BaseURL(template: \(SourceLiteral.quoted(url)), variables: ", values, end: ")")
        }
    }
}

extension Server.Variable {
    /// Whether the variable requires a value, because it has no default.
    fileprivate var needsValue: Bool { values.isEmpty && initial.isEmpty }
}
