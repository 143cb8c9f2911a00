/// Body of a response, which becomes an enumeration with one case per media type.
struct ResponseContent: MessagePart {
    private struct Case {
        let content: Content
        let name: String
        let type: String
        /// Schema for decoding; nil for bytes.
        let schema: Schema?
        let form: MultipartForm?

        var mediaType: String { content.mediaType }
        /// Name of a type that is declared for the content.
        let payload: String
        var isWildcard: Bool { content.isPattern }
    }

    private let cases: [Case]
    private let types: TypeWriter
    private(set) var key = ""

    /// - Returns: Nil if there is no body.
    init?(_ contents: [Content], plan: BodyPlan, types: TypeWriter) {
        guard !contents.isEmpty else { return nil }
        cases = zip(contents, types.style.names.contents(contents.map(\.mediaType))).map { content, name in
            let (schema, form) = (plan.typed(content), plan.form(content))
            let payload = types.style.names.contentPayload(name)
            let bytes = form == nil ? "HTTPBody" : "MultipartBody<\(payload)>"
            let type = schema.map { types.type(of: $0, payload: payload) } ?? bytes
            return Case(content: content, name: name, type: type, schema: schema, form: form, payload: payload)
        }
        self.types = types
        key = SourceText.signature(types.style) { declare(as: "", in: &$0) }
    }

    var words: [String] {
        cases.map { SwiftNames.capitalized($0.name.replacing("`", with: "")) + ($0.schema.map(types.word(for:)) ?? "") }
    }
    var sharedName: String { SharedTypes.name(words) + "ResponseBody" }

    var hasBytes: Bool { cases.contains { $0.schema == nil } }
    /// Whether the body is read to its end before its value is created.
    var waits: Bool { cases.contains { $0.schema != nil } }

    /// Writes the enumeration, and its conversion to and from the body of a message.
    func declare(as name: String, in text: inout SourceText) {
        text.block("\(text.style.type)enum \(name)\(hasBytes ? "" : ": Hashable, Sendable")") { text in
            for each in cases {
                if let schema = each.schema { types.declare(schema, as: each.payload, in: &text) }
                if let form = each.form { FormWriter(form: form, types: types).declare(as: each.payload, in: &text) }
            }
            for each in cases {
                text.line("case \(each.name)(\(each.type)\(each.isWildcard ? ", contentType: String" : ""))")
            }
            for each in cases { declareAccessor(each, in: &text) }
            text.gap()
            declareEncoding(in: &text)
            text.gap()
            declareDecoding(in: &text)
        }
        text.gap()
    }

    private func declareAccessor(_ each: Case, in text: inout SourceText) {
        let pattern = "case .\(each.name)(let body\(each.isWildcard ? ", _" : ""))"
        text.gap()
        text.block("\(text.style.member)var \(each.name): \(each.type)") { text in
            if cases.count > 1 {
                text.getter(pattern, "body", orThrowing: "UnexpectedResponse.body(expected: \"\(each.name)\")")
            } else {
                // An 'if' whose pattern always matches would be followed by an unreachable 'throw'.
                text.block("get throws") { text in
                    text.line("switch self {")
                    text.line("\(pattern): return body")
                    text.line("}")
                }
            }
        }
    }

    private func declareEncoding(in text: inout SourceText) {
        text.block(
            "\(text.style.inner)func encoded(in response: consuming OutgoingResponse) throws -> RawResponse"
        ) { text in
            text.line("switch self {")
            for each in cases {
                if each.isWildcard {
                    let bytes = "return response.bytes(body, contentType: contentType)"
                    text.branch("case .\(each.name)(let body, let contentType):", bytes)
                } else if each.form != nil {
                    text.branch("case .\(each.name)(let body):", "return try response.multipartForm(body)")
                } else if each.schema != nil {
                    let isPlain = each.content.fullType == "application/json"
                    let more = isPlain ? "" : ", contentType: \(SourceLiteral.quoted(each.content.fullType))"
                    text.branch("case .\(each.name)(let body):", "return try response.json(body\(more))")
                } else {
                    let type = SourceLiteral.quoted(each.content.fullType)
                    text.branch("case .\(each.name)(let body):", "return response.bytes(body, contentType: \(type))")
                }
            }
            text.line("}")
        }
    }

    private func declareDecoding(in text: inout SourceText) {
        let waiting = waits ? text.style.waiting : ""
        text.block(
            "\(text.style.inner)\(waiting)init(decoding response: IncomingResponse)\(waits ? " async" : "") throws"
        ) { text in
            text.line("switch response.mediaType {")
            for each in types.style.isLibrary ? cases.sorted(by: { $0.content.rank < $1.content.rank }) : cases {
                let value: String
                if each.isWildcard {
                    value =
                        "try response.bytes(), contentType: \(each.content.rank == 1 ? "type" : "response.mediaType")"
                } else if each.form != nil {
                    value = "try response.multipartForm()"
                } else {
                    value = each.schema == nil ? "try response.bytes()" : "try await response.json()"
                }
                text.branch("case \(each.content.pattern):", "self = .\(each.name)(\(value))")
            }
            if cases.contains(where: { $0.content.rank == 2 }) { return text.line("}") }
            text.line("default: throw response.unexpectedContentType")
            text.line("}")
        }
    }
}
