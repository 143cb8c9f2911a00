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
        fields = response.headers.map {
            Field(name: $0.name, type: $0.type.rawValue, isRequired: false, description: $0.description)
        }
        parameters = []
        self.types = types
        key = SourceText.signature(types.style) { declare(as: "", in: &$0) }
    }

    /// - Returns: nil for a request without headers.
    init?(_ parameters: [Parameter], types: TypeWriter) {
        guard !parameters.isEmpty else { return nil }
        message = .request
        fields = parameters.map(types.field)
        self.parameters = parameters
        self.types = types
        key = SourceText.signature(types.style) { declare(as: "", in: &$0) }
    }

    var words: [String] { fields.map { SwiftName.type($0.name) } }
    var sharedName: String { "\(SharedTypes.name(words))\(message.rawValue)Headers" }

    /// Writes the struct, how it is written into a message and how it is read from one.
    func declare(as name: String, in text: inout SourceText) {
        text.structure(
            name, of: fields, declaring: { text in for each in parameters { types.declare(each, in: &text) } },
            coding: declareCoding)
    }

    private func declareCoding(in text: inout SourceText) {
        text.gap()
        switch message {
        case .request:
            text.block("\(text.style.inner)func encode(into request: inout OutgoingRequest)") { text in
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
            text.call("self.init", fields.map { "\(SwiftName.label($0.name)): \(decoded($0))" })
        }
    }

    private func set(_ method: String, in text: inout SourceText) {
        for field in fields { text.line("\(method)(HeaderNames.\(field.member), self.\(field.member))") }
    }

    /// Returns the expression that reads a header; one of a request may contradict the document, which is an error.
    private func decoded(_ field: Field) -> String {
        switch message {
        case .request: "try request.\(field.isRequired ? "requiredHeader" : "header")(HeaderNames.\(field.member))"
        case .response: "response.header(HeaderNames.\(field.member))"
        }
    }
}
