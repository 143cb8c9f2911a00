// HeadgateClient: the client for Headgate, or any other OpenAI-compatible server, for Swift apps. It performs no I/O
// itself: requests go through a ``ClientTransport``, such as the one in HeadgateClientURLSession.

// The types in the library's API are re-exported, so that an app imports only one module. They are requests, responses
// and their headers, the protocols of transports and middleware, and the contract for test doubles.
@_exported public import HTTPTypes
@_exported public import HeadgateAPI
@_exported public import HeadgateHTTP

/// A client of a gateway.
///
/// ```swift
/// let client = try HeadgateClient(baseURL: "http://127.0.0.1:8686/v1", apiKey: key, transport: URLSessionTransport())
/// for try await text in client.chat.stream(ChatRequest(model: "smollm2", prompt: "Say hello.")).text {
///     print(text, terminator: "")
/// }
/// ```
///
/// All operations throw ``HeadgateClientError``, or `CancellationError` if the task is canceled. Errors of an app's own
/// middleware, its transport or the closure for its key are rethrown unchanged. Errors that have a case in
/// ``HeadgateClientError``, such as a `TransportError` or a `DecodingError`, are converted.
public struct HeadgateClient: Sendable {
    /// Default address of a gateway on this machine.
    public static let localBaseURL = "http://127.0.0.1:8686/v1"

    private let api: any APIProtocol

    /// Creates a client for the given API: the generated `Client`, or a test double.
    public init(client: any APIProtocol) { api = client }

    /// Creates a client for one server.
    ///
    /// - Parameters:
    ///   - baseURL: The base URL as in SDKs, such as `http://127.0.0.1:8686/v1`. `/v1` is added to a URL without a
    ///     path.
    ///   - apiKey: A gateway key; nil for a gateway without keys.
    ///   - transport: The transport. It and its bodies must be usable from any task; see `PulledBody`.
    ///   - middlewares: Middleware, outermost first. It sees every request as sent, and every response, including
    ///     errors.
    /// - Throws: ``HeadgateClientError/invalidURL(_:reason:)``.
    public init(
        baseURL: String = localBaseURL, apiKey: String? = nil, transport: any ClientTransport,
        middlewares: [any ClientMiddleware] = []
    ) throws {
        self.init(
            servers: [try BaseURL(baseURL)], apiKey: apiKey, transport: transport, middlewares: middlewares)
    }

    /// Creates a client for one server, whose key is looked up for each request, for example in a keychain.
    ///
    /// - Parameters:
    ///   - baseURL: The base URL as in SDKs. `/v1` is added to a URL without a path.
    ///   - apiKey: Returns the key, or nil for none. The request rethrows its errors.
    ///   - transport: The transport. It and its bodies must be usable from any task; see `PulledBody`.
    ///   - middlewares: Middleware, outermost first.
    /// - Throws: ``HeadgateClientError/invalidURL(_:reason:)``.
    public init(
        baseURL: String = localBaseURL, apiKey: @escaping APIKeyProvider, transport: any ClientTransport,
        middlewares: [any ClientMiddleware] = []
    ) throws {
        self.init(
            servers: [try BaseURL(baseURL)], apiKey: apiKey, transport: transport, middlewares: middlewares)
    }

    /// Creates a client for several equivalent servers. A request goes to the first server that accepts a connection.
    ///
    /// - Parameter servers: Servers in order of preference; not empty.
    public init(
        servers: [BaseURL], apiKey: String? = nil, transport: any ClientTransport,
        middlewares: [any ClientMiddleware] = []
    ) {
        let key: [any ClientMiddleware] = apiKey.map { [BearerAuthentication($0)] } ?? []
        self.init(servers: servers, key: key, transport: transport, middlewares: middlewares)
    }

    /// Creates a client for several equivalent servers, whose key is looked up for each request.
    ///
    /// - Parameters:
    ///   - servers: Servers in order of preference; not empty.
    ///   - apiKey: Returns the key, or nil for none. The request rethrows its errors.
    public init(
        servers: [BaseURL], apiKey: @escaping APIKeyProvider, transport: any ClientTransport,
        middlewares: [any ClientMiddleware] = []
    ) {
        self.init(
            servers: servers, key: [ProvidedAuthentication(apiKey)], transport: transport, middlewares: middlewares)
    }

    private init(
        servers: [BaseURL], key: [any ClientMiddleware], transport: any ClientTransport,
        middlewares: [any ClientMiddleware]
    ) {
        precondition(!servers.isEmpty, "a client needs a server")
        let chain: [any ClientMiddleware] = [StatusCheck(), ServerChoice(servers)] + key + middlewares
        api = Client(serverURL: servers[0], transport: transport, middlewares: chain)
    }

    /// Chat completions.
    public var chat: ChatOperations { ChatOperations(api: api) }
    /// Legacy completions.
    public var completions: CompletionOperations { CompletionOperations(api: api) }
    /// Models of the server.
    public var models: ModelOperations { ModelOperations(api: api) }
    /// Chats through Anthropic's route, and token counts of requests before they are sent.
    public var messages: MessageOperations { MessageOperations(api: api) }
    /// Chats through OpenAI's Responses, and the responses that the server has stored.
    public var responses: ResponseOperations { ResponseOperations(api: api) }
    /// Embeddings of texts.
    public var embeddings: EmbeddingOperations { EmbeddingOperations(api: api) }
    /// Images created from texts and from other images.
    public var images: ImageOperations { ImageOperations(api: api) }
    /// Speech from texts, and texts from recordings.
    public var audio: AudioOperations { AudioOperations(api: api) }
    /// Moderation of texts.
    public var moderations: ModerationOperations { ModerationOperations(api: api) }
}
