/// Writes the files that list all operations.
struct TableWriter {
    let operations: [Operation]
    let shared: [String: Response]

    func apiProtocol() -> SourceText {
        var text = SourceText()
        text.comment("Whatever serves the contract, or stands for a server of it.")
        text.block("public protocol APIProtocol: Sendable") { text in
            for operation in operations {
                text.comment(operation.summary)
                declareFunction(operation, "func", in: &text)
            }
        }
        return text
    }

    func serverRegistration() -> SourceText {
        var text = SourceText(imports: ["internal import HeadgateContract"])
        text.block("extension APIProtocol") { text in
            text.comment("Registers every operation on each of its paths.")
            text.block("package func registerHandlers(on transport: any ServerTransport) throws") { text in
                for operation in operations {
                    let name = SwiftName.member(operation.id)
                    let opening = "try transport.register(OperationTable.\(name))"
                    text.block(opening, signature: " request, body, metadata in") { text in
                        text.line("let request = IncomingRequest(request, body, metadata)")
                        text.line("return try await \(name)(.init(decoding: request)).encoded()")
                    }
                }
            }
        }
        return text
    }

    func client() -> SourceText {
        var text = SourceText(imports: ["public import HeadgateHTTP"])
        text.comment("Calls a server of the contract. Bodies are confined as its transport says.")
        text.block("public struct Client: APIProtocol") { text in
            text.line("private let sender: RequestSender")
            text.gap()
            text.comment("- Parameter serverURL: where the gateway is, without `/v1`.")
            text.declaration(
                "public init",
                [
                    "serverURL: BaseURL", "transport: any ClientTransport",
                    "middlewares: [any ClientMiddleware] = []",
                ],
                ["sender = RequestSender(serverURL: serverURL, transport: transport, middlewares: middlewares)"])
            for operation in operations {
                text.gap()
                declareFunction(operation, "public func", in: &text) { text in
                    let id = "Operations.\(SwiftName.type(operation.id)).id"
                    text.line("let response = try await sender.send(input.encoded(), operationID: \(id))")
                    text.line("return try await .init(decoding: response)")
                }
            }
        }
        return text
    }

    func operationTable() -> SourceText {
        var text = SourceText(imports: ["internal import HTTPTypes"])
        text.comment("Every operation of the contract, in its order.")
        text.block("package enum OperationTable") { text in
            text.line("package static let all = [")
            text.indented { text in for operation in operations { text.line("\(SwiftName.member(operation.id)),") } }
            text.line("]")
            for operation in operations {
                text.gap()
                text.line("package static let \(SwiftName.member(operation.id)) = OperationDescription(")
                text.indented { text in
                    text.line("id: \"\(operation.id)\",")
                    text.line("method: .\(operation.method),")
                    text.list("paths: ", operation.paths.map(SourceLiteral.quoted), end: ",")
                    text.line("authentication: .\(operation.needsKey ? "key" : "none"),")
                    text.line("requestBody: .\(kind(of: operation.body)),")
                    text.line("relay: \(operation.relay.map { "." + SwiftName.member($0) } ?? "nil"),")
                    text.list("responseContentTypes: ", successTypes(of: operation).map(SourceLiteral.quoted))
                }
                text.line(")")
            }
        }
        text.gap()
        declareDialects(in: &text)
        return text
    }

    func namespaces() -> SourceText {
        var text = SourceText()
        text.comment("The input and the output of each operation.")
        text.line("public enum Operations {}")
        text.gap()
        text.comment("What operations share.")
        text.block("public enum Components") { text in
            text.comment("What Headgate itself reads and writes as JSON.")
            text.line("public enum Schemas {}")
            text.comment("Answers of several operations.")
            text.line("public enum Responses {}")
        }
        return text
    }

    func headerNames(_ names: [String]) -> SourceText {
        var text = SourceText(imports: ["internal import HTTPTypes"])
        text.comment("The names of the headers that the contract describes.")
        text.block("enum HeaderNames") { text in
            for name in names { text.line("static let \(SwiftName.member(name)) = HTTPField.Name(\"\(name)\")!") }
        }
        return text
    }

    private func declareDialects(in text: inout SourceText) {
        var dialects: [String] = []
        for case let dialect? in operations.map(\.relay) where !dialects.contains(dialect) { dialects.append(dialect) }
        text.comment("What the body of a relayed operation is, as `x-headgate-relay` names it.")
        text.block("package enum RelayDialect: String, Sendable, CaseIterable") { text in
            for dialect in dialects { text.line("case \(SwiftName.member(dialect)) = \"\(dialect)\"") }
        }
    }

    private func declareFunction(
        _ operation: Operation, _ keyword: String, in text: inout SourceText,
        body: ((inout SourceText) -> Void)? = nil
    ) {
        let type = "Operations.\(SwiftName.type(operation.id))"
        text.line("\(keyword) \(SwiftName.member(operation.id))(")
        text.indented { $0.line("_ input: \(type).Input") }
        let end = ") async throws -> \(type).Output"
        if let body { text.block(end, body) } else { text.line(end) }
    }

    private func successTypes(of operation: Operation) -> [String] {
        var types: [String] = []
        for (status, answer) in operation.answers {
            guard case .code(200..<300) = status else { continue }
            switch answer {
            case .inline(let response): types += response.contents.map(\.mediaType)
            case .shared(let name): types += shared[name]?.contents.map(\.mediaType) ?? []
            }
        }
        return types
    }

    private func kind(of body: RequestBody?) -> String {
        switch body?.kind {
        case nil: "none"
        case .json?: "json"
        case .form?: "form"
        }
    }
}
