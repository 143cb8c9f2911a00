/// Writes the type of a response, and its conversion to and from a message.
struct ResponseWriter {
    let plan: BodyPlan
    let types: TypeWriter
    let shared: SharedTypes

    /// Writes a response. A response that several places share becomes an alias of the shared type.
    func declare(_ response: Response, as name: String, in text: inout SourceText) {
        let shape = ResponseShape(response, plan: plan, types: types)
        text.comment(response.description)
        if let type = shared.responses.type(of: shape) { return text.alias(name, type) }
        declare(shape, as: name, in: &text)
    }

    /// Writes all shared types, each with its name and whether it contains bytes.
    func declareShared(_ write: (_ name: String, _ hasBytes: Bool, (inout SourceText) -> Void) -> Void) {
        for (name, part) in shared.acceptable.all {
            write(name, false) { text in
                text.comment("Media types of the responses of several operations.")
                part.declare(as: name, in: &text)
            }
        }
        for (name, part) in shared.headers.all {
            write(name, false) { text in
                text.comment("Headers of several messages.")
                part.declare(as: name, in: &text)
            }
        }
        for (name, part) in shared.requestBodies.all {
            write(name, part.hasBytes) { text in
                text.comment("The body of several requests.")
                part.declare(as: name, in: &text)
            }
        }
        for (name, part) in shared.responseBodies.all {
            write(name, part.hasBytes) { text in
                text.comment("The body of several responses.")
                part.declare(as: name, in: &text)
            }
        }
        for (name, part) in shared.responses.all {
            write(name, false) { text in
                text.comment("Headers and body of several responses.")
                declare(part, as: name, in: &text)
            }
        }
    }

    /// Writes the headers of a request or a response, or an alias of shared ones.
    func declare(_ headers: HeaderSet, in text: inout SourceText) {
        if let type = shared.headers.type(of: headers) { return text.alias("Headers", type) }
        text.gap()
        headers.declare(as: "Headers", in: &text)
    }

    /// Writes the media types of an operation's responses, or an alias of shared ones.
    func declare(_ acceptable: AcceptableContent, in text: inout SourceText) {
        text.gap()
        if let type = shared.acceptable.type(of: acceptable) { return text.alias("AcceptableContentType", type) }
        acceptable.declare(as: "AcceptableContentType", in: &text)
    }

    /// Writes the body of a request, or an alias of a shared one.
    func declare(_ body: RequestBody, in text: inout SourceText) {
        let content = RequestContent(body, plan: plan, types: types)
        if let type = shared.requestBodies.type(of: content) { return text.alias("Body", type) }
        text.gap()
        content.declare(as: "Body", in: &text)
    }

    private func declare(_ body: ResponseContent, in text: inout SourceText) {
        if let type = shared.responseBodies.type(of: body) { return text.alias("Body", type) }
        text.gap()
        body.declare(as: "Body", in: &text)
    }

    /// Returns whether a request declares a body of bytes that is not shared.
    func declaresBytes(_ body: RequestBody) -> Bool {
        let content = RequestContent(body, plan: plan, types: types)
        return content.hasBytes && shared.requestBodies.type(of: content) == nil
    }

    /// Returns whether a response declares a body of bytes that is not shared.
    func declaresBytes(_ response: Response) -> Bool {
        let content = ResponseContent(response.contents, plan: plan, types: types)
        return content.map { $0.hasBytes && shared.responseBodies.type(of: $0) == nil } ?? false
    }

    private func declare(_ shape: ResponseShape, as name: String, in text: inout SourceText) {
        let (headers, body) = (shape.headers, shape.body)
        text.block("\(text.style.type)struct \(name)\(shape.isSendable ? ": Hashable, Sendable" : "")") { text in
            if let headers { declare(headers, in: &text) }
            if let body { declare(body, in: &text) }
            text.gap()
            if headers != nil { text.line("\(text.style.member)var headers: Headers") }
            if body != nil { text.line("\(text.style.member)var body: Body") }
            text.gap()
            let parameters =
                (headers == nil ? [] : ["headers: Headers = .init()"]) + (body == nil ? [] : ["body: Body"])
            let names = (headers == nil ? [] : ["headers"]) + (body == nil ? [] : ["body"])
            text.declaration("\(text.style.member)init", parameters, names.map { "self.\($0) = \($0)" })
            text.gap()
            text.block("\(text.style.inner)func encoded(status: Int) throws -> RawResponse") { text in
                let start = "\(headers == nil ? "OutgoingResponse" : "headers.encoded")(status: status)"
                text.line(body == nil ? "\(start).empty()" : "try body.encoded(in: \(start))")
            }
            text.gap()
            text.block(
                "\(text.style.inner)\(text.style.waiting)init(decoding response: IncomingResponse) async throws"
            ) { text in
                if headers != nil { text.line("headers = Headers(decoding: response)") }
                if let body { text.line("body = try \(body.waits ? "await " : "")Body(decoding: response)") }
            }
        }
    }
}

/// Headers and body of a response, which become one struct.
struct ResponseShape: MessagePart {
    let headers: HeaderSet?
    let body: ResponseContent?

    init(_ response: Response, plan: BodyPlan, types: TypeWriter) {
        headers = HeaderSet(of: response, types: types)
        body = ResponseContent(response.contents, plan: plan, types: types)
    }

    var key: String { "\(headers?.key ?? "") / \(body?.key ?? "")" }

    var sharedName: String {
        let name = SharedTypes.name(headers?.words ?? []) + SharedTypes.name(body?.words ?? [])
        return (name.isEmpty ? "Empty" : name) + "Response"
    }

    /// Whether the response can be compared, and sent to other tasks. A body that is carried as bytes cannot.
    var isSendable: Bool { body.map { !$0.hasBytes } ?? true }
}
