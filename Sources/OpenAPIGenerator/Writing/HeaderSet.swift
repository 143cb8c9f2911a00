/// The headers of a request or a response, which become one struct.
struct HeaderSet: MessagePart {
    private enum Message: String {
        case request = "Request"
        case response = "Response"
    }

    private let message: Message
    private let fields: [Field]
    /// The parameters of a request, whose types may be declared inside the struct.
    private let parameters: [Parameter]
    private let types: TypeWriter
    private(set) var key = ""

    /// - Returns: nil for a response without headers.
    init?(of response: Response, types: TypeWriter) {
        guard !response.headers.isEmpty else { return nil }
        message = .response
        let members = types.style.names.members(response.headers.map(\.name))
        fields = zip(response.headers, members).map { header, member in
            Field(
                name: header.name, member: member, type: header.type.rawValue, isRequired: false,
                description: header.description)
        }
        parameters = []
        self.types = types
        key = SourceText.signature(types.style) { declare(as: "", in: &$0) }
    }

    /// - Returns: nil for a request without headers.
    init?(_ parameters: [Parameter], types: TypeWriter) {
        guard !parameters.isEmpty else { return nil }
        message = .request
        fields = types.fields(parameters)
        self.parameters = parameters
        self.types = types
        key = SourceText.signature(types.style) { declare(as: "", in: &$0) }
    }

    var words: [String] { fields.map { types.style.names.type($0.name) } }
    var sharedName: String { "\(SharedTypes.name(words))\(message.rawValue)Headers" }

    /// Writes the struct, how it is written into a message and how it is read from one.
    func declare(as name: String, in text: inout SourceText) {
        text.structure(
            name, of: fields, declaring: { types.declare(parameters, in: &$0) },
            coding: declareCoding)
    }

    private func declareCoding(in text: inout SourceText) {
        text.gap()
        switch message {
        case .request:
            let effect = canThrow ? " throws" : ""
            text.block("\(text.style.inner)func encode(into request: inout OutgoingRequest)\(effect)") { text in
                set("request.header", in: &text)
            }
        case .response:
            text.block("\(text.style.inner)func encoded(status: Int) -> OutgoingResponse") { text in
                text.line("var response = OutgoingResponse(status: status)")
                set("response.set", in: &text)
                text.line("return response")
            }
        }
        text.gap()
        let parameter = message == .request ? "request: IncomingRequest" : "response: IncomingResponse"
        let effect = message == .request ? " throws" : ""
        text.block("\(text.style.inner)init(decoding \(parameter))\(effect)") { text in
            text.call(
                "self.init",
                fields.enumerated().map { index, field in
                    "\(text.style.names.label(field.member)): \(decoded(field, style(index)))"
                })
        }
    }

    private func set(_ method: String, in text: inout SourceText) {
        for (index, field) in fields.enumerated() {
            let style = style(index)
            let mark = style.isEmpty ? "" : "try "
            text.line("\(mark)\(method)(\(name(field)), self.\(field.member)\(style))")
        }
    }

    /// Whether writing one of them may fail.
    var canThrow: Bool { fields.indices.contains { !style($0).isEmpty } }

    /// Returns the style argument of a header with several values.
    private func style(_ index: Int) -> String {
        guard parameters.indices.contains(index), case .styled(let style) = parameters[index].type.form else {
            return ""
        }
        return ", .\(style)"
    }

    private func name(_ field: Field) -> String { "HeaderNames.\(types.headerMember(field.name))" }

    /// Returns the expression that reads a header; one of a request may contradict the document, which is an error.
    private func decoded(_ field: Field, _ style: String) -> String {
        switch message {
        case .request: "try request.\(field.isRequired ? "requiredHeader" : "header")(\(name(field))\(style))"
        case .response: "response.header(\(name(field)))"
        }
    }
}
