/// Writes the input of an operation.
struct InputWriter {
    let operation: Operation

    private var path: [Parameter] { operation.parameters(in: .path) }
    private var query: [Parameter] { operation.parameters(in: .query) }
    private var headers: [Parameter] { operation.parameters(in: .header) }

    func declare(in text: inout SourceText) {
        text.block("public struct Input") { text in
            if !path.isEmpty { declarePath(in: &text) }
            for (name, parameters) in [("Query", query), ("Headers", headers)] where !parameters.isEmpty {
                ResponseWriter.declareFields(name, parameters.map { ($0.name, $0.type, $0.description) }, in: &text)
            }
            if let body = operation.body {
                text.block("public enum Body") { text in
                    switch body.kind {
                    case .json: text.line("case json(HTTPBody)")
                    case .form: text.line("case multipartForm(HTTPBody, boundary: String)")
                    }
                }
                text.gap()
            }
            let parts = members
            for part in parts { text.line("public var \(part.name): \(part.type)") }
            text.comment("The request as the server received it; nil in a client.")
            text.line("package var exchange: ServerExchange?")
            text.gap()
            text.declaration(
                "public init",
                parts.map { "\($0.name): \($0.type)\($0.initial)" }, parts.map { "self.\($0.name) = \($0.name)" })
        }
    }

    /// How the input comes from a request on the server and becomes one in the client.
    func declareCoding(in text: inout SourceText) {
        text.block("extension Operations.\(SwiftName.type(operation.id)).Input") { text in
            text.block("init(decoding request: IncomingRequest) throws") { text in
                if !path.isEmpty { text.call("path = Path", path.map { decoded($0, by: "path") }) }
                if !query.isEmpty { text.call("query = Query", query.map { decoded($0, by: "query") }) }
                if !headers.isEmpty {
                    let names = headers.map { SwiftName.member($0.name) }
                    text.call("headers = Headers", names.map { "\($0): try request.header(HeaderNames.\($0))" })
                }
                switch operation.body?.kind {
                case nil: break
                case .json?: text.line("body = .json(try request.body())")
                case .form?: text.line("body = .multipartForm(try request.body(), boundary: try request.boundary())")
                }
                text.line("exchange = request.exchange")
            }
            text.gap()
            text.block("func encoded() -> OutgoingRequest") { text in encode(in: &text) }
        }
    }

    private func decoded(_ parameter: Parameter, by method: String) -> String {
        "\(SwiftName.member(parameter.name)): try request.\(method)(\"\(parameter.name)\")"
    }

    private func encode(in text: inout SourceText) {
        let start = "OutgoingRequest(OperationTable.\(SwiftName.member(operation.id)))"
        guard !members.isEmpty else { return text.line(start) }
        text.line("var request = \(start)")
        for parameter in path {
            text.line("request.path(\"\(parameter.name)\", path.\(SwiftName.member(parameter.name)))")
        }
        for parameter in query {
            text.line("request.query(\"\(parameter.name)\", query.\(SwiftName.member(parameter.name)))")
        }
        for parameter in headers {
            let name = SwiftName.member(parameter.name)
            text.line("request.header(HeaderNames.\(name), headers.\(name))")
        }
        if let body = operation.body {
            text.line("switch body {")
            switch body.kind {
            case .json: text.line("case .json(let body): request.json(body)")
            case .form:
                text.line("case .multipartForm(let body, let boundary): request.form(body, boundary: boundary)")
            }
            text.line("}")
        }
        text.line("return request")
    }

    private var members: [(name: String, type: String, initial: String)] {
        var parts: [(name: String, type: String, initial: String)] = []
        if !path.isEmpty { parts.append(("path", "Path", "")) }
        if !query.isEmpty { parts.append(("query", "Query", " = .init()")) }
        if !headers.isEmpty { parts.append(("headers", "Headers", " = .init()")) }
        if operation.body != nil { parts.append(("body", "Body", "")) }
        return parts
    }

    private func declarePath(in text: inout SourceText) {
        text.block("public struct Path: Hashable, Sendable") { text in
            for parameter in path {
                text.comment(parameter.description)
                text.line("public var \(SwiftName.member(parameter.name)): String")
            }
            text.gap()
            text.declaration(
                "public init", path.map { "\(SwiftName.member($0.name)): String" },
                path.map { "self.\(SwiftName.member($0.name)) = \(SwiftName.member($0.name))" })
        }
        text.gap()
    }
}
