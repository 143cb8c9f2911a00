internal import HTTPTypes
internal import HeadgateConfiguration
internal import HeadgateHTTP

/// Sets the upstream's key in the header that its kind expects. The client's key is never forwarded, because upstream
/// requests are built from scratch.
struct AuthInjectionMiddleware: ClientRequestEditor {
    private let name: HTTPField.Name
    /// Complete header value.
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
