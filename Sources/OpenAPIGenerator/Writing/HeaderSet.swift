/// Headers of a request or a response, which become one struct.
struct HeaderSet: MessagePart {
    private enum Message: String {
        case request = "Request"
        case response = "Response"
        case part = "Part"
    }

    private let message: Message
    private let fields: [Field]
    /// Parameters of a request, whose types can be declared in the struct.
    private let parameters: [Parameter]
    private let types: TypeWriter
    /// Type of the media types that a request accepts; nil if there are none.
    private let accepted: String?
    private let acceptedWords: [String]
    private(set) var key = ""

    /// - Returns: Nil if the response has no headers.
    init?(of response: Response, types: TypeWriter) { self.init(response.headers, of: .response, types: types) }

    /// - Returns: Nil if the part has no headers.
    init?(of part: MultipartForm.Part, types: TypeWriter) { self.init(part.headers, of: .part, types: types) }

    private init?(_ headers: [Header], of message: Message, types: TypeWriter) {
        guard !headers.isEmpty else { return nil }
        self.message = message
        let members = types.style.names.members(headers.map(\.name))
        fields = zip(headers, members).map { header, member in
            Field(
                name: header.name, member: member, type: header.type.rawValue, isRequired: false,
                description: header.description)
        }
        parameters = []
        accepted = nil
        acceptedWords = []
        self.types = types
        key = SourceText.signature(types.style) { declare(as: "", in: &$0) }
    }

    /// - Parameters:
    ///   - parameters: Header parameters of the request.
    ///   - accepted: Media types that the request accepts, with the name of their type.
    /// - Returns: Nil if the request has no headers.
    init?(_ parameters: [Parameter], accepting accepted: (AcceptableContent, type: String)? = nil, types: TypeWriter) {
        guard !parameters.isEmpty || accepted != nil else { return nil }
        message = .request
        fields = types.fields(parameters, besides: accepted == nil ? [] : ["accept", "acceptedTypes"])
        self.parameters = parameters
        self.accepted = accepted?.type
        acceptedWords = accepted?.0.words ?? []
        self.types = types
        // The key does not contain the name of the type, which is the operation's own unless several operations share
        // it.
        key = (accepted?.0.key ?? "") + SourceText.signature(types.style) { declare(as: "", accepting: nil, in: &$0) }
    }

    var words: [String] {
        fields.isEmpty ? [SharedTypes.name(acceptedWords) + "Accept"] : fields.map { types.style.names.type($0.name) }
    }
    var sharedName: String { "\(SharedTypes.name(words))\(message.rawValue)Headers" }

    /// Writes the struct, and its conversion to and from a message.
    func declare(as name: String, in text: inout SourceText) { declare(as: name, accepting: accepted, in: &text) }

    private func declare(as name: String, accepting accepted: String?, in text: inout SourceText) {
        text.structure(
            name, of: fields, accepting: accepted, declaring: { types.declare(parameters, in: &$0) },
            coding: { declareCoding(accepting: accepted, in: &$0) })
    }

    private func declareCoding(accepting accepted: String?, in text: inout SourceText) {
        text.gap()
        switch message {
        case .request:
            let effect = canThrow ? " throws" : ""
            text.block("\(text.style.inner)func encode(into request: inout OutgoingRequest)\(effect)") { text in
                set("request.header", in: &text)
                if accepted != nil { text.line("request.accept(acceptedTypes)") }
            }
        case .response:
            text.block("\(text.style.inner)func encoded(status: Int) -> OutgoingResponse") { text in
                text.line("var response = OutgoingResponse(status: status)")
                set("response.set", in: &text)
                text.line("return response")
            }
        case .part:
            text.block("\(text.style.inner)func encode(into part: inout MultipartRawPart)") { set("part.set", in: &$0) }
        }
        text.gap()
        let parameter =
            switch message {
            case .request: "request: IncomingRequest"
            case .response: "response: IncomingResponse"
            case .part: "part: MultipartRawPart"
            }
        let effect = message == .request ? " throws" : ""
        text.block("\(text.style.inner)init(decoding \(parameter))\(effect)") { text in
            text.call(
                "self.init",
                fields.enumerated().map { index, field in
                    "\(text.style.names.label(field.member)): \(decoded(field, style(index)))"
                })
            if accepted != nil { text.line("acceptedTypes = request.accepted()") }
        }
    }

    private func set(_ method: String, in text: inout SourceText) {
        for (index, field) in fields.enumerated() {
            let style = style(index)
            let mark = style.isEmpty ? "" : "try "
            text.line("\(mark)\(method)(\(name(field)), self.\(field.member)\(style))")
        }
    }

    /// Whether writing a header can throw.
    var canThrow: Bool { fields.indices.contains { !style($0).isEmpty } }

    /// Returns the style argument of a header with several values.
    private func style(_ index: Int) -> String {
        guard parameters.indices.contains(index), case .styled(let style) = parameters[index].type.form else {
            return ""
        }
        return ", .\(style)"
    }

    private func name(_ field: Field) -> String { "HeaderNames.\(types.headerMember(field.name))" }

    /// Returns the expression that reads a header. In a request, an invalid header is an error.
    private func decoded(_ field: Field, _ style: String) -> String {
        switch message {
        case .request: "try request.\(field.isRequired ? "requiredHeader" : "header")(\(name(field))\(style))"
        case .response: "response.header(\(name(field)))"
        case .part: "part.header(\(name(field)))"
        }
    }
}
