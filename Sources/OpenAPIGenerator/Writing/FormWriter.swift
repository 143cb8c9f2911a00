/// Writes the parts of a multipart form, which become an enumeration with one case per part.
struct FormWriter {
    let form: MultipartForm
    let types: TypeWriter

    private var style: CodeStyle { types.style }

    func declare(as name: String, in text: inout SourceText) {
        text.block("\(style.type)enum \(name): MultipartFormPart") { text in
            for part in form.parts { declarePayload(of: part, in: &text) }
            if case .typed(let part) = form.others { declarePayload(of: part, in: &text) }
            for part in form.parts { text.line("case \(part.member)(MultipartPart<\(part.payload)>)") }
            switch form.others {
            case .none: break
            case .undocumented: text.line("case undocumented(MultipartRawPart)")
            case .raw: text.line("case other(MultipartRawPart)")
            case .typed(let part): text.line("case other(MultipartDynamicallyNamedPart<\(part.payload)>)")
            }
            text.gap()
            declareRules(in: &text)
            text.gap()
            declareDecoding(in: &text)
            text.gap()
            declareEncoding(in: &text)
        }
        text.gap()
    }

    private func declarePayload(of part: MultipartForm.Part, in text: inout SourceText) {
        let headers = HeaderSet(of: part, types: types)
        let body = part.schema.map { types.type(of: $0, payload: "BodyPayload") } ?? "HTTPBody"
        let conformances = part.schema == nil ? "" : ": Hashable, Sendable"
        text.block("\(style.type)struct \(part.payload)\(conformances)") { text in
            if let schema = part.schema { types.declare(schema, as: "BodyPayload", in: &text) }
            headers?.declare(as: "Headers", in: &text)
            if headers != nil { text.line("\(style.member)var headers: Headers") }
            text.line("\(style.member)var body: \(body)")
            text.gap()
            text.declaration(
                "\(style.member)init", (headers == nil ? [] : ["headers: Headers = .init()"]) + ["body: \(body)"],
                (headers == nil ? [] : ["self.headers = headers"]) + ["self.body = body"])
        }
        text.gap()
    }

    private func declareRules(in text: inout SourceText) {
        text.line("\(style.member)static let rules = MultipartRules(")
        text.indented { text in
            for (label, parts) in [
                ("required", form.parts.filter(\.isRequired)), ("single", form.parts.filter { !$0.isRepeated }),
                ("repeated", form.parts.filter(\.isRepeated)), ("json", form.parts.filter { $0.schema != nil }),
            ] where !parts.isEmpty {
                text.list("\(label): ", parts.map { SourceLiteral.quoted($0.name) }, end: ",")
            }
            let others =
                switch form.others {
                case .none: "none"
                case .undocumented, .raw: "bytes"
                case .typed(let part): part.schema == nil ? "bytes" : "json"
                }
            text.line("others: .\(others))")
        }
    }

    private func decodeOthers(in text: inout SourceText) {
        switch form.others {
        case .none: text.line("throw MultipartFormError.unknownPart(part.name)")
        case .undocumented: text.line("self = .undocumented(part)")
        case .raw: text.line("self = .other(part)")
        case .typed(let part):
            let arguments = ["payload: \(payload(of: part))", "filename: part.filename", "name: part.name"]
            text.assign("other", arguments)
        }
    }

    private func declareDecoding(in text: inout SourceText) {
        text.block("\(style.member)init(decoding part: MultipartRawPart) throws") { text in
            guard !form.parts.isEmpty else { return decodeOthers(in: &text) }
            text.line("switch part.name {")
            for part in form.parts {
                text.line("case \(SourceLiteral.quoted(part.name)):")
                text.indented { $0.assign(part.member, ["payload: \(payload(of: part))", "filename: part.filename"]) }
            }
            text.line("default:")
            text.indented { decodeOthers(in: &$0) }
            text.line("}")
        }
    }

    /// Returns the expression that creates a payload from a raw part.
    private func payload(of part: MultipartForm.Part) -> String {
        let headers = part.headers.isEmpty ? "" : "headers: .init(decoding: part), "
        return ".init(\(headers)body: \(part.schema == nil ? "part.body" : "try part.json()"))"
    }

    private func declareEncoding(in text: inout SourceText) {
        text.block("\(style.member)func encoded() throws -> MultipartRawPart") { text in
            text.line("switch self {")
            for part in form.parts {
                text.line("case .\(part.member)(let part):")
                text.indented { encode(part, name: SourceLiteral.quoted(part.name), in: &$0) }
            }
            switch form.others {
            case .none: break
            case .undocumented: text.line("case .undocumented(let part): return part")
            case .raw: text.line("case .other(let part): return part")
            case .typed(let part):
                text.line("case .other(let part):")
                text.indented { encode(part, name: "part.name", in: &$0) }
            }
            text.line("}")
        }
    }

    private func encode(_ part: MultipartForm.Part, name: String, in text: inout SourceText) {
        let type = part.contentType.map(SourceLiteral.quoted) ?? "nil"
        let (label, mark) = part.schema == nil ? ("body", "") : ("json", "try ")
        let arguments = [
            "name: \(name)", "filename: part.filename", "\(label): part.payload.body", "contentType: \(type)",
        ]
        guard !part.headers.isEmpty else { return text.call("return \(mark)MultipartRawPart", arguments) }
        text.call("var raw = \(mark)MultipartRawPart", arguments)
        text.line("part.payload.headers.encode(into: &raw)")
        text.line("return raw")
    }
}
