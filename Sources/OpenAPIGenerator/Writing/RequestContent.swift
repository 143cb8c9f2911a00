/// Body of a request, which becomes an enumeration with one case per media type.
struct RequestContent: MessagePart {
    private let body: RequestBody
    private let schemas: [Schema?]
    private let forms: [MultipartForm?]
    /// Names of the cases.
    let names: [String]
    private let types: TypeWriter
    private(set) var key = ""

    init(_ body: RequestBody, plan: BodyPlan, types: TypeWriter) {
        self.body = body
        self.types = types
        schemas = body.contents.map(plan.typedRequest)
        forms = body.contents.map(plan.form)
        names = types.style.names.contents(body.contents.map(\.mediaType))
        key = SourceText.signature(types.style) { declare(as: "", in: &$0) }
    }

    /// Whether the body has only one kind, so that it is decoded without checking its media type first.
    var isOfOneKind: Bool {
        guard body.contents.count == 1, let content = body.contents.first else { return false }
        switch content.kind {
        case .json: return content.mediaType == "application/json" || schemas[0] == nil
        case .form: return true
        case .urlEncodedForm: return schemas[0] == nil
        case .other: return !content.isPattern
        }
    }

    private func payload(_ index: Int) -> String { types.style.names.contentPayload(names[index]) }
    private func unquoted(_ index: Int) -> String { names[index].replacing("`", with: "") }

    var sharedName: String {
        let words = names.indices.map { index in
            SwiftNames.capitalized(unquoted(index)) + (schemas[index].map(types.word(for:)) ?? "")
        }
        return SharedTypes.name(words) + "RequestBody"
    }

    var hasBytes: Bool { schemas.contains { $0 == nil } }
    /// Whether writing the body can throw.
    var canThrow: Bool { schemas.contains { $0 != nil } || forms.contains { $0 != nil } }

    /// Writes the enumeration, and its conversion to the body of a message.
    func declare(as typeName: String, in text: inout SourceText) {
        text.block("\(text.style.type)enum \(typeName)\(hasBytes ? "" : ": Hashable, Sendable")") { text in
            for (index, schema) in schemas.enumerated() {
                if let schema { types.declare(schema, as: payload(index), in: &text) }
                if let form = forms[index] {
                    FormWriter(form: form, types: types).declare(as: payload(index), in: &text)
                }
            }
            for index in names.indices { text.line("case \(names[index])(\(carried(index)))") }
            text.gap()
            let start = "\(text.style.inner)func encode(into request: inout OutgoingRequest)"
            text.block("\(start)\(canThrow ? " throws" : "")") { text in
                text.line("switch self {")
                for index in names.indices { encode(index, in: &text) }
                text.line("}")
            }
        }
        text.gap()
    }

    private func carried(_ index: Int) -> String {
        if let schema = schemas[index] { return types.type(of: schema, payload: payload(index)) }
        if forms[index] != nil { return "MultipartBody<\(payload(index))>" }
        let content = body.contents[index]
        if content.kind == .form { return "HTTPBody, boundary: String" }
        return "HTTPBody" + (content.isPattern ? ", contentType: String" : "")
    }

    private func encode(_ index: Int, in text: inout SourceText) {
        let content = body.contents[index]
        let (name, type) = (names[index], SourceLiteral.quoted(content.fullType))
        let isPlain = content.fullType == "application/json"
        switch content.kind {
        case .json where schemas[index] != nil:
            let more = isPlain ? "" : ", contentType: \(type)"
            text.branch("case .\(name)(let body):", "try request.encodedJSON(body\(more))")
        case .json where isPlain: text.branch("case .\(name)(let body):", "request.json(body)")
        case .form where forms[index] != nil:
            text.branch("case .\(name)(let body):", "try request.multipartForm(body)")
        case .form: text.branch("case .\(name)(let body, let boundary):", "request.form(body, boundary: boundary)")
        case .urlEncodedForm where schemas[index] != nil:
            let nested = content.nested.map(SourceLiteral.quoted).joined(separator: ", ")
            let more = nested.isEmpty ? "" : ", nested: [\(nested)]"
            text.branch("case .\(name)(let body):", "try request.urlEncodedForm(body\(more))")
        default:
            if content.isPattern {
                text.branch(
                    "case .\(name)(let body, let contentType):", "request.bytes(body, contentType: contentType)")
            } else {
                text.branch("case .\(name)(let body):", "request.bytes(body, contentType: \(type))")
            }
        }
    }
}
