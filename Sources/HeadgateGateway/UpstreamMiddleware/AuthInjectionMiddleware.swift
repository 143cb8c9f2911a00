internal import HTTPTypes
internal import HeadgateConfiguration
internal import HeadgateHTTP

/// Puts the real key on a request. What the client sent as its own never comes this far: upstream requests are built
/// anew.
struct AuthInjectionMiddleware: ClientRequestEditor {
    /// The whole field value.
    private let authorization: Secret?

    init(credential: Secret?) {
        authorization = credential.map { Secret("Bearer \($0.reveal())") }
    }

    func edit(_ request: inout HTTPRequest) {
        guard let authorization else { return }
        request.headerFields.append(HTTPField(name: .authorization, value: authorization.reveal()))
    }
}
