/// The headers and the body of a response, which become one struct.
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

    /// Whether it can be compared, and sent to other tasks: a body that is carried as bytes cannot.
    var isSendable: Bool { body.map { !$0.hasBytes } ?? true }
}
