/// Writes where the document says that it is served.
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
        }
        return text
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
        }
    }
}
