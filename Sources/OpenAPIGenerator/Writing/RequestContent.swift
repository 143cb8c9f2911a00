/// The body of a request, which becomes an enumeration with one case.
struct RequestContent: MessagePart {
    private let body: RequestBody
    private let schema: Schema?
    private let types: TypeWriter
    private(set) var key = ""

    init(_ body: RequestBody, plan: BodyPlan, types: TypeWriter) {
        self.body = body
        self.types = types
        schema = plan.typed(body)
        key = SourceText.signature(types.style) { declare(as: "", in: &$0) }
    }

    private var name: String { SwiftName.content(body.mediaType) }
    private var payload: String { "JsonPayload" }

    var sharedName: String { SwiftName.type(name) + (schema.map(types.word(for:)) ?? "") + "RequestBody" }
    var hasBytes: Bool { schema == nil }

    /// Writes the enumeration, and how it becomes the body of a message.
    func declare(as typeName: String, in text: inout SourceText) {
        text.block("\(text.style.type)enum \(typeName)\(hasBytes ? "" : ": Hashable, Sendable")") { text in
            if let schema { types.declare(schema, as: payload, in: &text) }
            text.line("case \(name)(\(carried))")
            text.gap()
            let start = "\(text.style.inner)func encode(into request: inout OutgoingRequest)"
            text.block("\(start)\(hasBytes ? "" : " throws")") { text in
                text.line("switch self {")
                encode(in: &text)
                text.line("}")
            }
        }
        text.gap()
    }

    private var carried: String {
        if let schema { return types.type(of: schema, payload: payload) }
        return body.kind == .form ? "HTTPBody, boundary: String" : "HTTPBody"
    }

    private func encode(in text: inout SourceText) {
        switch body.kind {
        case .json where schema != nil: text.branch("case .\(name)(let body):", "try request.encodedJSON(body)")
        case .json: text.branch("case .\(name)(let body):", "request.json(body)")
        case .form: text.branch("case .\(name)(let body, let boundary):", "request.form(body, boundary: boundary)")
        case .other:
            let type = SourceLiteral.quoted(body.mediaType)
            text.branch("case .\(name)(let body):", "request.bytes(body, contentType: \(type))")
        }
    }
}
