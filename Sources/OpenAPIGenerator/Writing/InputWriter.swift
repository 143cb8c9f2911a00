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

    /// - Parameter messages: writes headers and body, which may be those of several operations.
    func declare(with messages: ResponseWriter, in text: inout SourceText) {
        text.block("\(text.style.type)struct Input\(isSendable ? ": Hashable, Sendable" : "")") { text in
            for (name, parameters) in [("Path", path), ("Query", query)] where !parameters.isEmpty {
                text.structure(name, of: parameters.map(types.field)) { text in
                    for each in parameters { types.declare(each, in: &text) }
                }
            }
            if let headers = HeaderSet(headers, types: types) { messages.declare(headers, in: &text) }
            if let body = operation.body { messages.declare(body, in: &text) }
            text.gap()
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
                if !headers.isEmpty { text.line("headers = try Headers(decoding: request)") }
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
        let label = SwiftName.label(parameter.name)
        let literal = SourceLiteral.quoted(parameter.name)
        if parameter.location == .path { return "\(label): try request.path(\(literal))" }
        let method = (parameter.isRequired ? "requiredQuery" : "query") + (parameter.type.isList ? "List" : "")
        return "\(label): try request.\(method)(\(literal))"
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
        for parameter in path + query {
            let place = parameter.location.rawValue
            let method = place + (parameter.type.isList ? "List" : "")
            let name = SwiftName.member(parameter.name)
            text.line("request.\(method)(\(SourceLiteral.quoted(parameter.name)), \(place).\(name))")
        }
        if !headers.isEmpty { text.line("headers.encode(into: &request)") }
        if let body = operation.body {
            let mark = plan.typed(body) == nil ? "" : "try "
            text.line("\(mark)body\(body.isRequired ? "" : "?").encode(into: &request)")
        }
        text.line("return request")
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
