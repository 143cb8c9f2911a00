internal import HTTPTypes
internal import HeadgateConfiguration
internal import HeadgateHTTP

/// Puts the real key on a request, where its kind of upstream looks for it. What the client sent as its own never comes this far:
/// upstream requests are built anew.
struct AuthInjectionMiddleware: ClientRequestEditor {
    private let name: HTTPField.Name
    /// The whole field value.
    private let value: Secret?

    init(kind: UpstreamKind, credential: Secret?) {
        switch kind {
        case .openai, .onDevice:
            name = .authorization
            value = credential.map { Secret("Bearer \($0.reveal())") }
        case .anthropic:
            name = .xAPIKey
            value = credential
        case .azure:
            name = .azureAPIKey
            value = credential
        }
    }

    func edit(_ request: inout HTTPRequest) {
        guard let value else { return }
        request.headerFields.append(HTTPField(name: name, value: value.reveal()))
    }
}
