/// Writes the namespace of an operation: its input and its output.
struct OperationWriter {
    let responses: ResponseWriter
    let shared: [String: Response]

    func file(for operation: Operation) -> SourceText {
        let hasBytes =
            operation.body.map(responses.declaresBytes) ?? false
            || operation.answers.contains { answer in
                guard case .inline(let response) = answer.answer else { return false }
                return responses.declaresBytes(response)
            }
        var text = SourceText(
            style,
            imports: style.isLibrary
                ? style.runtimeImports
                : ["internal import HeadgateContract"] + (hasBytes ? ["public import HeadgateHTTP"] : []))
        let name = operation.type
        let input = InputWriter(operation: operation, plan: responses.plan, types: responses.types)
        text.block("\(text.style.extending)extension Operations") { text in
            text.comment(operation.summary)
            text.comment("\n`\(operation.method.uppercased()) \(operation.path)`")
            text.block("\(text.style.type)enum \(name)") { text in
                text.line("\(text.style.member)static let id = \(SourceLiteral.quoted(operation.id))")
                if text.style.isLibrary { declareDescription(of: operation, in: &text) }
                text.gap()
                input.declare(with: responses, in: &text)
                text.gap()
                if let accepted = AcceptableContent(of: operation, types: responses.types) {
                    responses.declare(accepted, in: &text)
                    text.gap()
                }
                declareOutput(of: operation, in: &text)
            }
        }
        text.gap()
        input.declareCoding(in: &text)
        text.gap()
        declareOutputCoding(of: operation, in: &text)
        return text
    }

    /// Declares the operation's description for clients and servers. The gateway has a table of all operations instead.
    private func declareDescription(of operation: Operation, in text: inout SourceText) {
        text.line("\(text.style.member)static let operation = APIOperation(")
        text.indented { text in
            text.line("id: id,")
            text.line("method: \(operation.methodLiteral),")
            text.line("path: \(SourceLiteral.quoted(operation.path)),")
            let types = operation.successTypes(shared).map(SourceLiteral.quoted)
            text.list("responseContentTypes: ", types, end: ")")
        }
    }

    private func declareOutput(of operation: Operation, in text: inout SourceText) {
        text.block("\(text.style.type)enum Output") { text in
            for (status, answer) in operation.answers {
                guard case .inline(let response) = answer else { continue }
                responses.declare(response, as: style.names.type(of: status), in: &text)
                text.gap()
            }
            for (status, answer) in operation.answers {
                text.comment(description(of: answer))
                let code = status.isOne ? "" : "statusCode: Int, "
                text.line("case \(style.names.member(of: status))(\(code)\(type(of: answer, status)))")
            }
            if hasUndocumented(operation) {
                text.comment("Fields or a body that the contract does not spell out.")
                text.line("case undocumented(statusCode: Int, UndocumentedPayload)")
            }
            text.gap()
            text.block("\(text.style.member)var statusCode: Int") { text in
                text.line("switch self {")
                for (status, _) in operation.answers {
                    let name = style.names.status(status)
                    if case .code(let code) = status {
                        text.line("case .\(name): \(code)")
                    } else {
                        text.line("case .\(name)(let statusCode, _): statusCode")
                    }
                }
                if hasUndocumented(operation) { text.line("case .undocumented(let statusCode, _): statusCode") }
                text.line("}")
            }
            text.gap()
            if !operation.answers.isEmpty {
                text.block("private func unexpected(_ expected: String) -> UnexpectedResponse") { text in
                    text.line(".status(statusCode, expected: expected)")
                }
            }
            for (status, answer) in operation.answers {
                text.gap()
                let isOnly = operation.answers.count == 1 && !hasUndocumented(operation)
                declareAccessor(status, type(of: answer, status), isOnly: isOnly, in: &text)
            }
        }
    }

    /// Returns whether a response can be undocumented, which a `default` rules out.
    private func hasUndocumented(_ operation: Operation) -> Bool {
        !style.isLibrary || !operation.answers.contains { $0.status == .default }
    }

    private var style: CodeStyle { responses.plan.style }

    private func declareAccessor(
        _ status: Operation.Status, _ type: String, isOnly: Bool, in text: inout SourceText
    ) {
        let name = style.names.status(status)
        text.block("\(text.style.member)var \(style.names.member(of: status)): \(type)") { text in
            let pattern = "case .\(name)(\(status.isOne ? "" : "_, ")let value)"
            guard !isOnly else {
                // An 'if' whose pattern always matches would be followed by an unreachable 'throw'.
                return text.block("get throws") { text in
                    text.line("switch self {")
                    text.line("\(pattern): return value")
                    text.line("}")
                }
            }
            text.getter(pattern, "value", orThrowing: "unexpected(\"\(name)\")")
        }
    }

    private func declareOutputCoding(of operation: Operation, in text: inout SourceText) {
        text.block("\(text.style.extending)extension Operations.\(operation.type).Output") { text in
            text.block("\(text.style.shared)func encoded() throws -> RawResponse") { text in
                text.line("switch self {")
                for (status, _) in operation.answers {
                    let name = style.names.status(status)
                    switch status {
                    case .code(let code):
                        text.line("case .\(name)(let response): try response.encoded(status: \(code))")
                    case .default, .range:
                        let call = "try response.encoded(status: statusCode)"
                        text.line("case .\(name)(let statusCode, let response): \(call)")
                    }
                }
                if hasUndocumented(operation) {
                    text.line("case .undocumented(let statusCode, let payload): payload.encoded(status: statusCode)")
                }
                text.line("}")
            }
            text.gap()
            text.block("\(text.style.inner)\(text.style.waiting)init(decoding response: IncomingResponse) async throws")
            { text in
                text.line("switch response.status {")
                var other = ".undocumented(statusCode: response.status, .init(decoding: response))"
                for (status, _) in operation.answers {
                    switch status {
                    case .code(let code):
                        text.line(
                            "case \(code): self = .\(style.names.status(status))(try await .init(decoding: response))")
                    case .range(let hundreds):
                        let value = ".\(style.names.status(status))(statusCode: response.status, "
                        text.line("case \(hundreds)00...\(hundreds)99:")
                        text.indented { $0.line("self = \(value)try await .init(decoding: response))") }
                    case .default: other = ".default(statusCode: response.status, try await .init(decoding: response))"
                    }
                }
                text.line("default: self = \(other)")
                text.line("}")
            }
        }
    }

    private func type(of answer: Operation.Answer, _ status: Operation.Status) -> String {
        switch answer {
        case .shared(let name): "Components.Responses.\(responses.plan.responseTypes[name] ?? name)"
        case .inline: style.names.type(of: status)
        }
    }

    private func description(of answer: Operation.Answer) -> String? {
        switch answer {
        case .shared(let name): shared[name]?.description
        case .inline(let response): response.description
        }
    }
}

extension Operation.Status {
    /// Whether the status is a single code.
    var isOne: Bool { if case .code = self { true } else { false } }
}

extension Operation {
    fileprivate var methodLiteral: String {
        method == "query" ? "HTTPRequest.Method(\"QUERY\")!" : ".\(method)"
    }
}
