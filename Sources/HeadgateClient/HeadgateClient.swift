// HeadgateClient: what a Swift app needs to be a good client of Headgate, or of any other OpenAI-compatible server.
// It does no input and output of its own: it speaks through a ``ClientTransport``, such as the one of
// HeadgateClientURLSession.

public import HeadgateAPI
public import HeadgateHTTP

/// A client of one gateway.
///
/// ```swift
/// let client = try HeadgateClient(baseURL: "http://127.0.0.1:8686/v1", apiKey: key, transport: URLSessionTransport())
/// for try await text in client.chat.stream(ChatRequest(model: "smollm2", prompt: "Say hello.")).text {
///     print(text, terminator: "")
/// }
/// ```
///
/// Everything it does throws ``HeadgateClientError``, or `CancellationError` when the task is cancelled.
public struct HeadgateClient: Sendable {
    /// Where a gateway of this machine listens unless it is told otherwise.
    public static let localBaseURL = "http://127.0.0.1:8686/v1"

    private let api: any APIProtocol

    /// A client of whatever stands for the server: the generated `Client`, or a double in a test.
    public init(client: any APIProtocol) { api = client }

    /// A client of one server.
    ///
    /// - Parameters:
    ///   - baseURL: what an SDK calls the base URL, such as `http://127.0.0.1:8686/v1`.
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

    /// A client of several servers that offer the same: a request goes to the first that can be connected to.
    ///
    /// - Parameter servers: at least one, in order of preference.
    public init(
        servers: [BaseURL], apiKey: String? = nil, transport: any ClientTransport,
        middlewares: [any ClientMiddleware] = []
    ) {
        precondition(!servers.isEmpty, "a client needs a server")
        var chain: [any ClientMiddleware] = [StatusCheck(), ServerChoice(servers)]
        if let apiKey { chain.append(BearerAuthentication(apiKey)) }
        chain += middlewares
        api = Client(serverURL: servers[0], transport: transport, middlewares: chain)
    }

    /// Chat completions.
    public var chat: ChatOperations { ChatOperations(api: api) }
    /// Legacy completions.
    public var completions: CompletionOperations { CompletionOperations(api: api) }
    /// What the server offers.
    public var models: ModelOperations { ModelOperations(api: api) }
    /// Embeddings of texts.
    public var embeddings: EmbeddingOperations { EmbeddingOperations(api: api) }
}
