// HeadgateClient: the client of Headgate, or of any other OpenAI-compatible server, for Swift apps. It performs no I/O
// itself: requests go through a ``ClientTransport``, such as the one in HeadgateClientURLSession.

// The types in the library's API are re-exported, so that an app imports one module: requests, responses and their
// headers, the protocols of transports and middleware, and the contract for test doubles.
@_exported public import HTTPTypes
@_exported public import HeadgateAPI
@_exported public import HeadgateHTTP

/// A client of one gateway.
///
/// ```swift
/// let client = try HeadgateClient(baseURL: "http://127.0.0.1:8686/v1", apiKey: key, transport: URLSessionTransport())
/// for try await text in client.chat.stream(ChatRequest(model: "smollm2", prompt: "Say hello.")).text {
///     print(text, terminator: "")
/// }
/// ```
///
/// Everything it does throws ``HeadgateClientError``, or `CancellationError` when the task is cancelled. What an app's
/// own middleware, its transport or the closure for its key throws comes through as it is, but for errors that have a
/// case there, such as a `TransportError` or a `DecodingError`.
public struct HeadgateClient: Sendable {
    /// Default address of a gateway on this machine.
    public static let localBaseURL = "http://127.0.0.1:8686/v1"

    private let api: any APIProtocol

    /// Creates a client over the given API: the generated `Client`, or a test double.
    public init(client: any APIProtocol) { api = client }

    /// A client of one server.
    ///
    /// - Parameters:
    ///   - baseURL: what an SDK calls the base URL, such as `http://127.0.0.1:8686/v1`; `/v1` is added to one without
    ///     a path.
    ///   - apiKey: a gateway key; nil for a gateway without keys.
    ///   - transport: must be usable from any task, and its bodies too: see `PulledBody`.
    ///   - middlewares: outermost first; they see every request as it is sent, and every response, failed ones too.
    /// - Throws: ``HeadgateClientError/invalidURL(_:reason:)``.
    public init(
        baseURL: String = localBaseURL, apiKey: String? = nil, transport: any ClientTransport,
        middlewares: [any ClientMiddleware] = []
    ) throws {
        self.init(
            servers: [try BaseURL(baseURL)], apiKey: apiKey, transport: transport, middlewares: middlewares)
    }

    /// A client of one server, whose key is looked up for each request, such as in a keychain.
    ///
    /// - Parameters:
    ///   - baseURL: what an SDK calls the base URL; `/v1` is added to one without a path.
    ///   - apiKey: gives the key, or nil for none. What it throws, the request throws.
    ///   - transport: must be usable from any task, and its bodies too: see `PulledBody`.
    ///   - middlewares: outermost first.
    /// - Throws: ``HeadgateClientError/invalidURL(_:reason:)``.
    public init(
        baseURL: String = localBaseURL, apiKey: @escaping APIKeyProvider, transport: any ClientTransport,
        middlewares: [any ClientMiddleware] = []
    ) throws {
        self.init(
            servers: [try BaseURL(baseURL)], apiKey: apiKey, transport: transport, middlewares: middlewares)
    }

    /// A client of several servers that offer the same: a request goes to the first that can be connected to.
    ///
    /// - Parameter servers: at least one, in order of preference.
    public init(
        servers: [BaseURL], apiKey: String? = nil, transport: any ClientTransport,
        middlewares: [any ClientMiddleware] = []
    ) {
        let key: [any ClientMiddleware] = apiKey.map { [BearerAuthentication($0)] } ?? []
        self.init(servers: servers, key: key, transport: transport, middlewares: middlewares)
    }

    /// A client of several servers that offer the same, whose key is looked up for each request.
    ///
    /// - Parameters:
    ///   - servers: at least one, in order of preference.
    ///   - apiKey: gives the key, or nil for none. What it throws, the request throws.
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
    /// Images made from texts and from images.
    public var images: ImageOperations { ImageOperations(api: api) }
    /// Texts read aloud, and recordings as texts.
    public var audio: AudioOperations { AudioOperations(api: api) }
    /// Whether texts are harmful.
    public var moderations: ModerationOperations { ModerationOperations(api: api) }
}
