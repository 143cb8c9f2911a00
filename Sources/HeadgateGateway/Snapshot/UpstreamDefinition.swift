package import HeadgateConfiguration
package import HeadgateHTTP

/// An upstream as whoever composes the gateway hands it over: where it is, with what key, and how to get there.
package struct UpstreamDefinition: Sendable {
    package var name: String
    package var baseURL: BaseURL
    package var credential: Secret?
    /// Configured fields, which override the factory's own.
    package var headers: [HeaderConfiguration]
    package var transport: any ClientTransport

    package init(
        name: String, baseURL: BaseURL, credential: Secret?, headers: [HeaderConfiguration] = [],
        transport: any ClientTransport
    ) {
        self.name = name
        self.baseURL = baseURL
        self.credential = credential
        self.headers = headers
        self.transport = transport
    }
}

/// An upstream with its chain folded around its transport, once.
struct Upstream: Sendable {
    let name: String
    let baseURL: BaseURL
    let credential: Secret?
    /// The value of the `Host` field.
    let authority: String
    let chatCompletionsPath: String
    let createChatCompletion: ClientSend

    init(_ definition: UpstreamDefinition) {
        name = definition.name
        baseURL = definition.baseURL
        credential = definition.credential
        authority = definition.baseURL.authority
        chatCompletionsPath = definition.baseURL.pathPrefix + "/chat/completions"
        let middlewares: [any ClientMiddleware] = [
            AuthInjectionMiddleware(credential: definition.credential),
            HeaderInjectionMiddleware(factory: HeaderFactory(configured: definition.headers)),
        ]
        createChatCompletion = definition.transport.wrapped(
            in: middlewares, operationID: Operations.createChatCompletion)
    }
}
