/// Writes the files that contain all operations.
struct TableWriter {
    let operations: [Operation]
    let shared: [String: Response]
    let plan: BodyPlan
    let types: TypeWriter
    let style: CodeStyle

    /// Import statements for a library's operations; empty without operations, because an unneeded import causes a
    /// warning.
    private var imports: [String] { operations.isEmpty ? [] : style.runtimeImports }

    func apiProtocol() -> SourceText {
        var text = SourceText(style, imports: imports)
        text.comment("Whatever serves the contract, or stands for a server of it.")
        text.block("\(style.type)protocol APIProtocol: Sendable") { text in
            for operation in operations {
                text.comment(operation.summary)
                declareFunction(operation, "func", in: &text)
            }
        }
        return text
    }

    /// Returns default implementations of operations, for test doubles.
    func defaults() -> SourceText {
        var text = SourceText(style, imports: imports)
        text.comment(
            "Whoever implements only some operations, such as a double in a test, throws ``UnimplementedOperation`` in "
                + "the others.")
        text.block("\(style.extending)extension APIProtocol") { text in
            for operation in operations {
                text.gap()
                declareFunction(operation, "\(style.member)func", in: &text) { text in
                    let id = "Operations.\(operation.type).id"
                    text.line("throw UnimplementedOperation(operationID: \(id))")
                }
            }
        }
        return text
    }

    /// Returns overloads of the operations that have the parts of their inputs as parameters.
    func overloads() -> SourceText {
        var text = SourceText(style, imports: imports)
        text.comment("The operations with the parts of their inputs in place of them.")
        text.block("\(style.extending)extension APIProtocol") { text in
            for operation in operations {
                text.gap()
                declareOverload(of: operation, in: &text)
            }
        }
        return text
    }

    private func declareOverload(of operation: Operation, in text: inout SourceText) {
        let type = "Operations.\(operation.type)"
        let name = operation.member
        let parts = InputWriter(operation: operation, plan: plan, types: types).members
        text.comment(operation.summary)
        text.declaration(
            "\(style.member)func \(name)", parts.map { "\($0.name): \(type).Input.\($0.type)\($0.initial)" },
            returning: " async throws -> \(type).Output"
        ) { text in
            let arguments = parts.map { "\($0.name): \($0.name)" }.joined(separator: ", ")
            text.line("try await \(name)(.init(\(arguments)))")
        }
    }

    func serverRegistration() -> SourceText {
        var text = SourceText(
            style, imports: style.isLibrary ? style.runtimeImports : ["internal import HeadgateContract"])
        text.block("\(style.extending)extension APIProtocol") { text in
            if style.isLibrary {
                text.comment(
                    """
                    Registers every operation.

                    - Parameters:
                      - serverURL: whose path every route begins with.
                      - configuration: how values are read and written; nil for the usual.
                      - middlewares: around each handler, outermost first.
                    """)
                let guarded = operations.filter(\.needsKey)
                if !guarded.isEmpty {
                    text.comment(
                        "\nNothing here checks credentials, which the document wants for: "
                            + guarded.map { "`\($0.id)`" }.joined(separator: ", ") + ".")
                }
                text.declaration(
                    "\(style.member)func registerHandlers",
                    [
                        "on transport: any ServerTransport", "serverURL: BaseURL? = nil",
                        "configuration: OpenAPIConfiguration? = nil", "middlewares: [any ServerMiddleware] = []",
                    ], returning: " throws"
                ) { text in
                    var routes: Set<String> = []
                    for operation in operations {
                        guard let problem = operation.routeProblem(&routes) else {
                            register(operation, in: &text)
                            continue
                        }
                        types.diagnostics.note(
                            operation.position, "'\(operation.id)' is not registered by Server.swift: \(problem)")
                        text.line("// '\(operation.member)' is not registered: \(problem).")
                    }
                }
                text.gap()
                text.comment("The same below the path of a URL.")
                text.declaration(
                    "\(style.member)func registerHandlers",
                    [
                        "on transport: any ServerTransport", "serverURL: OpenAPIURL",
                        "configuration: OpenAPIConfiguration? = nil", "middlewares: [any ServerMiddleware] = []",
                    ], returning: " throws"
                ) { text in
                    text.call(
                        "try registerHandlers",
                        [
                            "on: transport", "serverURL: BaseURL(serverURL)", "configuration: configuration",
                            "middlewares: middlewares",
                        ])
                }
            } else {
                text.comment("Registers every operation on each of its paths.")
                text.block("package func registerHandlers(on transport: any ServerTransport) throws") { text in
                    for operation in operations { register(operation, in: &text) }
                }
            }
        }
        return text
    }

    private func register(_ operation: Operation, in text: inout SourceText) {
        let name = operation.member
        let more =
            style.isLibrary ? ", serverURL: serverURL, configuration: configuration, middlewares: middlewares" : ""
        let arguments = operation.description(in: style) + more
        let writer = InputWriter(operation: operation, plan: plan, types: types)
        let isSendable = writer.isSendable
        text.call("try transport.register", arguments, signature: " request, body, metadata in") { text in
            guard style.isLibrary, !isSendable else {
                return text.line("try await \(name)(.init(decoding: .init(request, body, metadata))).encoded()")
            }
            text.line("let request = IncomingRequest(request, body, metadata)")
            text.line("// Its body is read by the task of the request alone.")
            let type = "Operations.\(operation.type).Input"
            let mark = writer.waits ? "try await" : "try"
            text.line("nonisolated(unsafe) let input = \(mark) \(type)(decoding: request)")
            text.line("return try await \(name)(input).encoded()")
        }
    }

    func client() -> SourceText {
        var text = SourceText(
            style, imports: style.isLibrary ? style.runtimeImports : ["public import HeadgateHTTP"])
        text.comment("Calls a server of the contract. Bodies are confined as its transport says.")
        text.block("\(style.type)struct Client: APIProtocol") { text in
            text.line("private let sender: RequestSender")
            text.gap()
            text.comment(
                style.isLibrary
                    ? """
                    - Parameters:
                      - configuration: how values are written and read; nil for the usual.
                      - middlewares: around each request, outermost first; the transport is last.
                    """ : "- Parameter serverURL: where the gateway is, without `/v1`.")
            let parameters =
                (style.isLibrary ? ["configuration: OpenAPIConfiguration? = nil"] : [])
                + ["transport: any ClientTransport", "middlewares: [any ClientMiddleware] = []"]
            let arguments =
                (style.isLibrary ? ["configuration: configuration"] : [])
                + ["transport: transport", "middlewares: middlewares"]
            text.declaration(
                "\(style.member)init", ["serverURL: BaseURL"] + parameters, returning: ""
            ) { $0.call("sender = RequestSender", ["serverURL: serverURL"] + arguments) }
            if style.isLibrary {
                text.gap()
                text.comment("The same at a URL. One that begins neither with http:// nor with https:// leads nowhere.")
                text.declaration(
                    "\(style.member)init", ["serverURL: OpenAPIURL"] + parameters, returning: ""
                ) { $0.call("self.init", ["serverURL: BaseURL(serverURL)"] + arguments) }
            }
            for operation in operations {
                text.gap()
                declareFunction(operation, "\(style.member)func", in: &text) { text in
                    let id = "Operations.\(operation.type).id"
                    guard style.isLibrary else {
                        return text.line("try await .init(decoding: sender.send(input.encoded(), operationID: \(id)))")
                    }
                    let input = InputWriter(operation: operation, plan: plan, types: types)
                    text.line("try await sender.call(\(id)) {")
                    text.indented { $0.line("\(input.canThrow ? "try " : "")input.encoded()") }
                    text.line("} decoding: {")
                    text.indented { $0.line("try await .init(decoding: $0)") }
                    text.line("}")
                }
            }
        }
        return text
    }

    func operationTable() -> SourceText {
        var text = SourceText(style, imports: ["internal import HTTPTypes"])
        text.comment("Every operation of the contract, in its order.")
        text.block("package enum OperationTable") { text in
            text.line("package static let all = [")
            text.indented { text in for operation in operations { text.line("\(operation.member),") } }
            text.line("]")
            for operation in operations {
                text.gap()
                text.line("package static let \(operation.member) = OperationDescription(")
                text.indented { text in
                    text.line("id: \"\(operation.id)\",")
                    text.line("method: .\(operation.method),")
                    text.list("paths: ", operation.paths.map(SourceLiteral.quoted), end: ",")
                    text.line("authentication: .\(operation.needsKey ? "key" : "none"),")
                    text.line("requestBody: .\(kind(of: operation.body)),")
                    text.line("relay: \(operation.relay.map { "." + style.names.member($0) } ?? "nil"),")
                    text.list("responseContentTypes: ", operation.successTypes(shared).map(SourceLiteral.quoted))
                }
                text.line(")")
            }
        }
        text.gap()
        declareDialects(in: &text)
        return text
    }

    func namespaces() -> SourceText {
        var text = SourceText(style)
        text.comment("The input and the output of each operation.")
        text.line("\(style.type)enum Operations {}")
        text.gap()
        text.comment("What operations share.")
        text.block("\(style.type)enum Components") { text in
            text.comment(style.isLibrary ? "The schemas." : "What Headgate itself reads and writes as JSON.")
            text.line("\(style.type)enum Schemas {}")
            text.comment(style.isLibrary ? "Responses of several operations." : "Answers of several operations.")
            text.line("\(style.type)enum Responses {}")
            text.comment("Headers, bodies and responses of several places.")
            text.line("\(style.type)enum Shared {}")
        }
        return text
    }

    func headerNames(_ names: [String]) -> SourceText {
        var text = SourceText(
            style, imports: style.isLibrary ? style.runtimeImports : ["internal import HTTPTypes"])
        text.comment("The names of the headers that the contract describes.")
        text.block("\(style.extending)enum HeaderNames") { text in
            for name in names {
                text.line("static let \(types.headerMember(name)) = HTTPField.Name(\(SourceLiteral.quoted(name)))!")
            }
        }
        return text
    }

    private func declareDialects(in text: inout SourceText) {
        var dialects: [String] = []
        for case let dialect? in operations.map(\.relay) where !dialects.contains(dialect) { dialects.append(dialect) }
        text.comment("What the body of a relayed operation is, as `x-headgate-relay` names it.")
        text.block("package enum RelayDialect: String, Sendable, CaseIterable") { text in
            for dialect in dialects { text.line("case \(style.names.member(dialect)) = \"\(dialect)\"") }
        }
    }

    private func declareFunction(
        _ operation: Operation, _ keyword: String, in text: inout SourceText,
        body: ((inout SourceText) -> Void)? = nil
    ) {
        let type = "Operations.\(operation.type)"
        text.declaration(
            "\(keyword) \(operation.member)", ["_ input: \(type).Input"],
            returning: " async throws -> \(type).Output", body)
    }

    private func kind(of body: RequestBody?) -> String {
        switch body?.contents.first?.kind {
        case nil, .other?, .urlEncodedForm?: "none"
        case .json?: "json"
        case .form?: "form"
        }
    }
}

extension Operation {
    /// Returns why a server cannot have a route for the operation; nil if it can.
    ///
    /// - Parameter routes: Existing routes, to which the operation's route is added.
    fileprivate func routeProblem(_ routes: inout Set<String>) -> String? {
        let segments = path.prefix { $0 != "?" }.split(separator: "/", omittingEmptySubsequences: false)
        if path.contains("}{") { return "nothing in its path is between two parameters" }
        if path.contains("?") { return "its path has a query" }
        let shape = segments.map { $0.replacing(/\{[^{}]*\}/, with: "{}") }.joined(separator: "/")
        return routes.insert("\(method) \(shape)").inserted ? nil : "another operation has its route"
    }
}
