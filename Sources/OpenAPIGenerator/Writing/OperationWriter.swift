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
        let style = responses.plan.style
        var text = SourceText(
            style,
            imports: style.isLibrary
                ? style.runtimeImports
                : ["internal import HeadgateContract"] + (hasBytes ? ["public import HeadgateHTTP"] : []))
        let name = SwiftName.type(operation.id)
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
                declareOutput(of: operation, in: &text)
            }
        }
        text.gap()
        input.declareCoding(in: &text)
        text.gap()
        declareOutputCoding(of: operation, in: &text)
        return text
    }

    /// What a client and a server are told of the operation; the gateway has a table of all.
    private func declareDescription(of operation: Operation, in text: inout SourceText) {
        text.line("\(text.style.member)static let operation = APIOperation(")
        text.indented { text in
            text.line("id: id,")
            text.line("method: .\(operation.method),")
            text.line("path: \(SourceLiteral.quoted(operation.path)),")
            let types = operation.successTypes(shared).map(SourceLiteral.quoted)
            text.list("responseContentTypes: ", types, end: ")")
        }
    }

    private func declareOutput(of operation: Operation, in text: inout SourceText) {
        text.block("\(text.style.type)enum Output") { text in
            for (status, answer) in operation.answers {
                guard case .inline(let response) = answer else { continue }
                responses.declare(response, as: SwiftName.type(SwiftName.status(status)), in: &text)
                text.gap()
            }
            for (status, answer) in operation.answers {
                let name = SwiftName.member(SwiftName.status(status))
                text.comment(description(of: answer))
                text.line("case \(name)(\(status == .default ? "statusCode: Int, " : "")\(type(of: answer, status)))")
            }
            text.comment("Fields or a body that the contract does not spell out.")
            text.line("case undocumented(statusCode: Int, UndocumentedPayload)")
            text.gap()
            text.block("\(text.style.member)var statusCode: Int") { text in
                text.line("switch self {")
                for (status, _) in operation.answers {
                    guard case .code(let code) = status else { continue }
                    text.line("case .\(SwiftName.status(status)): \(code)")
                }
                if operation.answers.contains(where: { $0.status == .default }) {
                    text.line("case .default(let statusCode, _): statusCode")
                }
                text.line("case .undocumented(let statusCode, _): statusCode")
                text.line("}")
            }
            text.gap()
            text.block("private func unexpected(_ expected: String) -> UnexpectedResponse") { text in
                text.line(".status(statusCode, expected: expected)")
            }
            for (status, answer) in operation.answers {
                text.gap()
                declareAccessor(status, type(of: answer, status), in: &text)
            }
        }
    }

    private func declareAccessor(_ status: Operation.Status, _ type: String, in text: inout SourceText) {
        let name = SwiftName.status(status)
        text.block("\(text.style.member)var \(SwiftName.member(name)): \(type)") { text in
            let pattern = "case .\(name)(\(status == .default ? "_, " : "")let value)"
            text.getter(pattern, "value", orThrowing: "unexpected(\"\(name)\")")
        }
    }

    private func declareOutputCoding(of operation: Operation, in text: inout SourceText) {
        text.block("\(text.style.extending)extension Operations.\(SwiftName.type(operation.id)).Output") { text in
            text.block("\(text.style.shared)func encoded() throws -> RawResponse") { text in
                text.line("switch self {")
                for (status, _) in operation.answers {
                    let name = SwiftName.status(status)
                    switch status {
                    case .code(let code):
                        text.line("case .\(name)(let response): try response.encoded(status: \(code))")
                    case .default:
                        let call = "try response.encoded(status: statusCode)"
                        text.line("case .default(let statusCode, let response): \(call)")
                    }
                }
                text.line("case .undocumented(let statusCode, let payload): payload.encoded(status: statusCode)")
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
                            "case \(code): self = .\(SwiftName.status(status))(try await .init(decoding: response))")
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
        case .shared(let name): "Components.Responses.\(SwiftName.type(name))"
        case .inline: SwiftName.type(SwiftName.status(status))
        }
    }

    private func description(of answer: Operation.Answer) -> String? {
        switch answer {
        case .shared(let name): shared[name]?.description
        case .inline(let response): response.description
        }
    }
}
