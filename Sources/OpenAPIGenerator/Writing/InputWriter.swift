/// Writes the input of an operation.
struct InputWriter {
    let operation: Operation
    let plan: BodyPlan
    let types: TypeWriter

    private var path: [Parameter] { operation.parameters(in: .path) }
    private var query: [Parameter] { operation.parameters(in: .query) }
    private var headers: [Parameter] { operation.parameters(in: .header) }

    /// Whether it may be sent to other tasks: a body that is carried as bytes may not.
    var isSendable: Bool {
        plan.style.isLibrary && operation.body.map { plan.typed($0) != nil } ?? true
    }

    // MARK: Declaring

    func declare(in text: inout SourceText) {
        text.block("\(text.style.type)struct Input\(isSendable ? ": Hashable, Sendable" : "")") { text in
            for (name, parameters) in [("Path", path), ("Query", query), ("Headers", headers)]
            where !parameters.isEmpty {
                ResponseWriter.declareFields(
                    name, parameters.map(field),
                    declaring: { text in
                        for each in parameters { types.declare(each.type, as: payload(each), in: &text) }
                    }, in: &text)
            }
            if let body = operation.body { declare(body, in: &text) }
            let parts = members
            for part in parts { text.line("\(text.style.member)var \(part.name): \(part.type)") }
            if !text.style.isLibrary {
                text.comment("The request as the server received it; nil in a client.")
                text.line("package var exchange: ServerExchange?")
            }
            text.gap()
            text.declaration(
                "\(text.style.member)init",
                parts.map { "\($0.name): \($0.type)\($0.initial)" }, parts.map { "self.\($0.name) = \($0.name)" })
        }
    }

    private func field(_ parameter: Parameter) -> ResponseWriter.Field {
        let type = types.type(of: parameter.type, payload: payload(parameter))
        return ResponseWriter.Field(
            name: parameter.name, type: parameter.type.isList ? "[\(type)]" : type, isRequired: parameter.isRequired,
            description: parameter.description)
    }

    private func payload(_ parameter: Parameter) -> String { SwiftName.type(parameter.name) + "Payload" }

    private func declare(_ body: RequestBody, in text: inout SourceText) {
        text.block("\(text.style.type)enum Body\(isSendable ? ": Hashable, Sendable" : "")") { text in
            if let schema = plan.typed(body) { types.declare(schema, as: "JsonPayload", in: &text) }
            text.line("case \(SwiftName.content(body.mediaType))(\(carried(body)))")
        }
        text.gap()
    }

    private func carried(_ body: RequestBody) -> String {
        if let schema = plan.typed(body) { return types.type(of: schema, payload: "JsonPayload") }
        return body.kind == .form ? "HTTPBody, boundary: String" : "HTTPBody"
    }

    /// The parts with their types and, where they may be left out, their values.
    var members: [(name: String, type: String, initial: String)] {
        var parts: [(name: String, type: String, initial: String)] = []
        if !path.isEmpty { parts.append(("path", "Path", "")) }
        for (name, type, parameters) in [("query", "Query", query), ("headers", "Headers", headers)]
        where !parameters.isEmpty {
            parts.append((name, type, parameters.contains(where: \.isRequired) ? "" : " = .init()"))
        }
        if let body = operation.body {
            parts.append(("body", body.isRequired ? "Body" : "Body?", body.isRequired ? "" : " = nil"))
        }
        return parts
    }

    // MARK: Coding

    /// How the input comes from a request on the server and becomes one in the client.
    func declareCoding(in text: inout SourceText) {
        let style = text.style
        let waits = operation.body.flatMap(plan.typed) != nil
        text.block("\(style.extending)extension Operations.\(SwiftName.type(operation.id)).Input") { text in
            let start = "\(style.inner)\(waits ? style.waiting : "")init(decoding request: IncomingRequest)"
            text.block("\(start)\(waits ? " async" : "") throws") { text in
                if !path.isEmpty { text.call("path = Path", path.map { decoded($0) }) }
                if !query.isEmpty { text.call("query = Query", query.map { decoded($0) }) }
                if !headers.isEmpty { text.call("headers = Headers", headers.map { decoded($0) }) }
                if let body = operation.body { decode(body, in: &text) }
                if !style.isLibrary { text.line("exchange = request.exchange") }
            }
            text.gap()
            text.block("\(style.inner)func encoded() \(waits ? "throws " : "")-> OutgoingRequest") { text in
                encode(in: &text)
            }
        }
    }

    private func decoded(_ parameter: Parameter) -> String {
        let name = SwiftName.member(parameter.name)
        let label = SwiftName.label(parameter.name)
        let needed = parameter.isRequired
        let literal = SourceLiteral.quoted(parameter.name)
        switch parameter.location {
        case .path: return "\(label): try request.path(\(literal))"
        case .query:
            let method = (needed ? "requiredQuery" : "query") + (parameter.type.isList ? "List" : "")
            return "\(label): try request.\(method)(\(literal))"
        case .header: return "\(label): try request.\(needed ? "requiredHeader" : "header")(HeaderNames.\(name))"
        }
    }

    private func decode(_ body: RequestBody, in text: inout SourceText) {
        let name = SwiftName.content(body.mediaType)
        let isTyped = plan.typed(body) != nil
        guard body.isRequired else {
            let value = isTyped ? "try await request.optionalJSON()" : "request.optionalBody()"
            switch body.kind {
            case .form:
                text.line("body = try request.optionalBody().map { .\(name)($0, boundary: try request.boundary()) }")
            default: text.line("body = \(value).map { .\(name)($0) }")
            }
            return
        }
        switch body.kind {
        case .json where isTyped: text.line("body = .\(name)(try await request.json())")
        case .json: text.line("body = .\(name)(try request.body())")
        case .form: text.line("body = .\(name)(try request.body(), boundary: try request.boundary())")
        case .other:
            text.line("try request.expect(\(SourceLiteral.quoted(body.mediaType)))")
            text.line("body = .\(name)(try request.body())")
        }
    }

    private func encode(in text: inout SourceText) {
        let start = "OutgoingRequest(\(operation.description(in: text.style)))"
        guard !members.isEmpty else { return text.line(text.style.isLibrary ? "return \(start)" : start) }
        text.line("var request = \(start)")
        for parameter in path + query + headers {
            let name = SwiftName.member(parameter.name)
            let literal = SourceLiteral.quoted(parameter.name)
            switch parameter.location {
            case .path: text.line("request.path(\(literal), path.\(name))")
            case .query:
                text.line("request.query\(parameter.type.isList ? "List" : "")(\(literal), query.\(name))")
            case .header: text.line("request.header(HeaderNames.\(name), headers.\(name))")
            }
        }
        if let body = operation.body { encode(body, in: &text) }
        text.line("return request")
    }

    private func encode(_ body: RequestBody, in text: inout SourceText) {
        let name = SwiftName.content(body.mediaType)
        text.line("switch body {")
        switch body.kind {
        case .json where plan.typed(body) != nil:
            text.line("case .\(name)(let body): try request.encodedJSON(body)")
        case .json: text.line("case .\(name)(let body): request.json(body)")
        case .form: text.line("case .\(name)(let body, let boundary): request.form(body, boundary: boundary)")
        case .other:
            text.line("case .\(name)(let body):")
            text.indented { $0.line("request.bytes(body, contentType: \(SourceLiteral.quoted(body.mediaType)))") }
        }
        if !body.isRequired { text.line("case nil: break") }
        text.line("}")
    }
}

extension Operation {
    /// Where the generated code finds what a client and a server are told of it.
    func description(in style: CodeStyle) -> String {
        style.isLibrary ? "Operations.\(SwiftName.type(id)).operation" : "OperationTable.\(SwiftName.member(id))"
    }

    /// The media types of its successful responses.
    func successTypes(_ shared: [String: Response]) -> [String] {
        var types: [String] = []
        for (status, answer) in answers {
            guard case .code(200..<300) = status else { continue }
            switch answer {
            case .inline(let response): types += response.contents.map(\.mediaType)
            case .shared(let name): types += shared[name]?.contents.map(\.mediaType) ?? []
            }
        }
        return types
    }
}
