/// Writes the input of an operation.
struct InputWriter {
    let operation: Operation
    let plan: BodyPlan
    let types: TypeWriter

    private var path: [Parameter] { operation.parameters(in: .path) }
    private var query: [Parameter] { operation.parameters(in: .query) }
    private var headers: [Parameter] { operation.parameters(in: .header) }
    private var cookies: [Parameter] { operation.parameters(in: .cookie) }
    private var accepted: AcceptableContent? { AcceptableContent(of: operation, types: types) }
    private var hasHeaders: Bool { !headers.isEmpty || accepted != nil }
    /// Groups of parameters that become separate structs.
    private var groups: [(name: String, type: String, parameters: [Parameter])] {
        [("path", "Path", path), ("query", "Query", query), ("cookies", "Cookies", cookies)]
            .filter { !$0.parameters.isEmpty }
    }

    /// Whether the input can be sent to other tasks. A body that is carried as bytes cannot.
    var isSendable: Bool {
        plan.style.isLibrary && operation.body?.contents.allSatisfy { plan.typedRequest($0) != nil } ?? true
    }

    /// Whether the body is read to its end before the input is created.
    var waits: Bool { operation.body?.contents.contains { plan.typedRequest($0) != nil } ?? false }

    /// Whether creating a request from the input can throw.
    var canThrow: Bool {
        waits || operation.body?.contents.contains { plan.form($0) != nil } ?? false
            || HeaderSet(headers, types: types)?.canThrow ?? false
            || (path + query + cookies).contains {
                if case .styled = $0.type.form { true } else { false }
            }
    }

    // MARK: Declaration

    /// - Parameter messages: Writes headers and body, which several operations can share.
    func declare(with messages: ResponseWriter, in text: inout SourceText) {
        text.block("\(text.style.type)struct Input\(isSendable ? ": Hashable, Sendable" : "")") { text in
            for group in groups {
                text.structure(group.type, of: types.fields(group.parameters)) {
                    types.declare(group.parameters, in: &$0)
                }
            }
            if let headers = messages.shared.headers(of: operation, types) { messages.declare(headers, in: &text) }
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

    /// Members with their types, and the defaults of optional ones.
    var members: [(name: String, type: String, initial: String)] {
        var parts: [(name: String, type: String, initial: String)] = []
        if !path.isEmpty { parts.append(("path", "Path", "")) }
        for (name, type, parameters) in [
            ("query", "Query", query), ("headers", "Headers", headers), ("cookies", "Cookies", cookies),
        ] where !parameters.isEmpty || name == "headers" && hasHeaders {
            parts.append((name, type, parameters.contains(where: \.isRequired) ? "" : " = .init()"))
        }
        if let body = operation.body {
            parts.append(("body", body.isRequired ? "Body" : "Body?", body.isRequired ? "" : " = nil"))
        }
        return parts
    }

    // MARK: Coding

    /// Declares the conversion of a request to the input on the server, and of the input to a request in the client.
    func declareCoding(in text: inout SourceText) {
        let style = text.style
        text.block("\(style.extending)extension Operations.\(operation.type).Input") { text in
            let start = "\(style.inner)\(waits ? style.waiting : "")init(decoding request: IncomingRequest)"
            text.block("\(start)\(waits ? " async" : "") throws") { text in
                for group in groups {
                    text.call(
                        "\(group.name) = \(group.type)",
                        zip(types.fields(group.parameters), group.parameters).map(decoded))
                }
                if hasHeaders { text.line("headers = try Headers(decoding: request)") }
                if let body = operation.body { decode(body, in: &text) }
                if !style.isLibrary { text.line("exchange = request.exchange") }
            }
            text.gap()
            text.block("\(style.inner)func encoded() \(canThrow ? "throws " : "")-> OutgoingRequest") { text in
                encode(in: &text)
            }
        }
    }

    private func decoded(_ field: Field, _ parameter: Parameter) -> String {
        let label = types.style.names.label(field.member)
        let literal = SourceLiteral.quoted(parameter.name)
        let place = parameter.location.rawValue
        let method =
            parameter.isRequired && parameter.location != .path ? "required" + SwiftNames.capitalized(place) : place
        switch parameter.type.form {
        case .scalar: return "\(label): try request.\(method)(\(literal))"
        case .list: return "\(label): try request.\(method)List(\(literal))"
        case .styled(let style): return "\(label): try request.\(method)(\(literal), .\(style))"
        }
    }

    private func decode(_ body: RequestBody, in text: inout SourceText) {
        let content = RequestContent(body, plan: plan, types: types)
        if content.isOfOneKind { return decode(body, content.names[0], in: &text) }
        let declare = { (text: inout SourceText) in
            text.line("switch request.mediaType {")
            for (each, name) in zip(body.contents, content.names).sorted(by: { $0.0.rank < $1.0.rank }) {
                let value: String
                switch each.kind {
                case .json where plan.typedRequest(each) != nil: value = "try await request.anyJSON()"
                case .urlEncodedForm where plan.typedRequest(each) != nil: value = "try await request.urlEncodedForm()"
                case .form where plan.form(each) != nil: value = "try request.multipartForm()"
                case .form: value = "try request.body(), boundary: try request.boundary()"
                default: value = "try request.body()" + (each.isPattern ? ", contentType: request.mediaType" : "")
                }
                text.branch("case \(each.pattern):", "body = .\(name)(\(value))")
            }
            let types = SourceLiteral.quoted(body.contents.map(\.mediaType).joined(separator: ", "))
            if !body.contents.contains(where: { $0.mediaType == "*/*" }) {
                text.branch("default:", "throw RequestViolation.contentType(expected: \(types))")
            }
            text.line("}")
        }
        if body.isRequired { return declare(&text) }
        text.block("if request.optionalBody() == nil", { $0.line("body = nil") }, otherwise: declare)
    }

    private func decode(_ body: RequestBody, _ name: String, in text: inout SourceText) {
        let content = body.contents[0]
        let isTyped = plan.typedRequest(content) != nil
        guard body.isRequired else {
            let value = isTyped ? "try await request.optionalJSON()" : "request.optionalBody()"
            switch content.kind {
            case .form where plan.form(content) != nil:
                text.line("body = request.optionalBody() == nil ? nil : .\(name)(try request.multipartForm())")
            case .form:
                text.line("body = try request.optionalBody().map { .\(name)($0, boundary: try request.boundary()) }")
            default: text.line("body = \(value).map { .\(name)($0) }")
            }
            return
        }
        switch content.kind {
        case .json where isTyped: text.line("body = .\(name)(try await request.json())")
        case .json: text.line("body = .\(name)(try request.body())")
        case .form where plan.form(content) != nil: text.line("body = .\(name)(try request.multipartForm())")
        case .form: text.line("body = .\(name)(try request.body(), boundary: try request.boundary())")
        case .urlEncodedForm, .other:
            text.line("try request.expect(\(SourceLiteral.quoted(content.mediaType)))")
            text.line("body = .\(name)(try request.body())")
        }
    }

    private func encode(in text: inout SourceText) {
        let start = "OutgoingRequest(\(operation.description(in: text.style)))"
        guard !members.isEmpty else { return text.line(text.style.isLibrary ? "return \(start)" : start) }
        text.line("var request = \(start)")
        for group in groups {
            for (field, parameter) in zip(types.fields(group.parameters), group.parameters) {
                let place = parameter.location.rawValue
                let arguments = "\(SourceLiteral.quoted(parameter.name)), \(group.name).\(field.member)"
                switch parameter.type.form {
                case .scalar: text.line("request.\(place)(\(arguments))")
                case .list: text.line("request.\(place)List(\(arguments))")
                case .styled(let style): text.line("try request.\(place)(\(arguments), .\(style))")
                }
            }
        }
        if hasHeaders {
            let canThrow = HeaderSet(headers, types: types)?.canThrow ?? false
            text.line("\(canThrow ? "try " : "")headers.encode(into: &request)")
        }
        if let body = operation.body {
            let mark = RequestContent(body, plan: plan, types: types).canThrow ? "try " : ""
            text.line("\(mark)body\(body.isRequired ? "" : "?").encode(into: &request)")
        }
        text.line("return request")
    }
}

extension Content {
    /// Order of media types: exact ones before ranges.
    var rank: Int { mediaType == "*/*" ? 2 : isPattern ? 1 : 0 }

    /// Pattern for a switch over media types.
    var pattern: String {
        if mediaType == "*/*" { return "_" }
        guard isPattern else { return SourceLiteral.quoted(mediaType) }
        return "let type where type.hasPrefix(\(SourceLiteral.quoted(String(mediaType.dropLast()))))"
    }
}

extension Operation {
    /// Returns the expression for the operation's description in generated code.
    func description(in style: CodeStyle) -> String {
        style.isLibrary ? "Operations.\(type).operation" : "OperationTable.\(member)"
    }

    /// Returns the media types of successful responses.
    func successTypes(_ shared: [String: Response]) -> [String] {
        types(shared) { status in
            switch status {
            case .code(200..<300), .range(2): true
            default: false
            }
        }
    }

    /// Returns the media types of all responses, without duplicates.
    func allTypes(_ shared: [String: Response]) -> [String] { types(shared) { _ in true }.withoutRepetitions }

    private func types(_ shared: [String: Response], where isWanted: (Status) -> Bool) -> [String] {
        answers.filter { isWanted($0.status) }.flatMap { _, answer in
            switch answer {
            case .inline(let response): response.contents.map(\.mediaType)
            case .shared(let name): shared[name]?.contents.map(\.mediaType) ?? []
            }
        }
    }
}
