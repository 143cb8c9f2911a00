/// Writes the type of a response, and how it becomes a message and comes from one.
struct ResponseWriter {
    let plan: BodyPlan
    let types: TypeWriter

    func declare(_ response: Response, as name: String, in text: inout SourceText) {
        let hasBody = !response.contents.isEmpty
        let hasHeaders = !response.headers.isEmpty
        let conformance = plan.hasBytes(response) ? "" : ": Hashable, Sendable"
        text.comment(response.description)
        text.block("\(text.style.type)struct \(name)\(conformance)") { text in
            if hasHeaders { declareHeaders(response.headers, in: &text) }
            if hasBody { declareBody(response, conformance, in: &text) }
            if hasHeaders { text.line("\(text.style.member)var headers: Headers") }
            if hasBody { text.line("\(text.style.member)var body: Body") }
            text.gap()
            let parameters = (hasHeaders ? ["headers: Headers = .init()"] : []) + (hasBody ? ["body: Body"] : [])
            let names = (hasHeaders ? ["headers"] : []) + (hasBody ? ["body"] : [])
            text.declaration("\(text.style.member)init", parameters, names.map { "self.\($0) = \($0)" })
            text.gap()
            encode(response, in: &text)
            text.gap()
            decode(response, in: &text)
        }
    }

    struct Field {
        let name: String
        let type: String
        let isRequired: Bool
        let description: String?

        var member: String { SwiftName.member(name) }
    }

    /// A struct of these properties, and its initialiser.
    ///
    /// - Parameter declare: writes what their types need.
    static func declareFields(
        _ structName: String, _ fields: [Field], declaring declare: (inout SourceText) -> Void = { _ in },
        in text: inout SourceText
    ) {
        text.block("\(text.style.type)struct \(structName): Hashable, Sendable") { text in
            declare(&text)
            for field in fields {
                text.comment(field.description)
                text.line("\(text.style.member)var \(field.member): \(field.type)\(field.isRequired ? "" : "?")")
            }
            text.gap()
            text.declaration(
                "\(text.style.member)init", fields.map { "\($0.member): \($0.type)\($0.isRequired ? "" : "? = nil")" },
                fields.map { "self.\($0.member) = \($0.member)" })
        }
        text.gap()
    }

    private func declareHeaders(_ headers: [Header], in text: inout SourceText) {
        let fields = headers.map {
            Field(name: $0.name, type: $0.type.rawValue, isRequired: false, description: $0.description)
        }
        ResponseWriter.declareFields("Headers", fields, in: &text)
    }

    private func declareBody(_ response: Response, _ conformance: String, in text: inout SourceText) {
        text.block("\(text.style.type)enum Body\(conformance)") { text in
            for content in response.contents {
                if let schema = plan.typed(content) { types.declare(schema, as: payload(content), in: &text) }
            }
            for content in response.contents {
                let more = isWildcard(content) ? ", contentType: String" : ""
                text.line("case \(SwiftName.content(content.mediaType))(\(type(of: content))\(more))")
            }
            for content in response.contents {
                let name = SwiftName.content(content.mediaType)
                text.gap()
                text.block("\(text.style.member)var \(name): \(type(of: content))") { text in
                    text.block("get throws") { text in
                        text.line("switch self {")
                        text.line("case .\(name)(let body\(isWildcard(content) ? ", _" : "")): return body")
                        if response.contents.count > 1 {
                            text.line("default: throw UnexpectedResponse.body(expected: \"\(name)\")")
                        }
                        text.line("}")
                    }
                }
            }
        }
        text.gap()
    }

    private func encode(_ response: Response, in text: inout SourceText) {
        text.block("\(text.style.inner)func encoded(status: Int) throws -> RawResponse") { text in
            text.line("\(response.headers.isEmpty ? "let" : "var") response = OutgoingResponse(status: status)")
            for header in response.headers {
                let name = SwiftName.member(header.name)
                text.line("response.set(HeaderNames.\(name), headers.\(name))")
            }
            if response.contents.isEmpty { return text.line("return response.empty()") }
            text.line("switch body {")
            for content in response.contents {
                let name = SwiftName.content(content.mediaType)
                if isWildcard(content) {
                    text.line("case .\(name)(let body, let contentType):")
                    text.indented { $0.line("return response.bytes(body, contentType: contentType)") }
                } else if plan.typed(content) != nil {
                    text.line("case .\(name)(let body): return try response.json(body)")
                } else {
                    text.line("case .\(name)(let body):")
                    text.indented {
                        $0.line("return response.bytes(body, contentType: \(SourceLiteral.quoted(content.mediaType)))")
                    }
                }
            }
            text.line("}")
        }
    }

    private func decode(_ response: Response, in text: inout SourceText) {
        text.block("\(text.style.inner)\(text.style.waiting)init(decoding response: IncomingResponse) async throws") {
            text in
            if !response.headers.isEmpty {
                let arguments = response.headers.map { header in
                    "\(SwiftName.label(header.name)): response.header(HeaderNames.\(SwiftName.member(header.name)))"
                }
                text.call("headers = Headers", arguments)
            }
            if response.contents.isEmpty { return }
            text.line("switch response.mediaType {")
            for content in response.contents {
                let name = SwiftName.content(content.mediaType)
                if isWildcard(content) {
                    text.line(
                        "case let type where "
                            + "type.hasPrefix(\(SourceLiteral.quoted(String(content.mediaType.dropLast())))):"
                    )
                    text.indented { $0.line("body = .\(name)(try response.bytes(), contentType: type)") }
                } else {
                    let value = plan.typed(content) == nil ? "try response.bytes()" : "try await response.json()"
                    text.line("case \(SourceLiteral.quoted(content.mediaType)): body = .\(name)(\(value))")
                }
            }
            text.line("default: throw response.unexpectedContentType")
            text.line("}")
        }
    }

    private func type(of content: Content) -> String {
        plan.typed(content).map { types.type(of: $0, payload: payload(content)) } ?? "HTTPBody"
    }

    private func payload(_ content: Content) -> String {
        SwiftName.type(SwiftName.content(content.mediaType)) + "Payload"
    }

    private func isWildcard(_ content: Content) -> Bool { content.mediaType.hasSuffix("/*") }
}
