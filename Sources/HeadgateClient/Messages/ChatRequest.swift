/// A request for a chat completion.
public struct ChatRequest: Hashable, Sendable {
    /// Public name of a model.
    public var model: String
    /// The conversation so far.
    public var messages: [ChatMessage]
    /// Tools that the model can call.
    public var tools: [ToolDefinition]
    /// Options of the response.
    public var options: ChatOptions
    /// Whether a stream ends with its token usage.
    public var includesUsage: Bool
    /// Route of the request.
    public var route: ChatRoute

    /// Creates a request for the next message of a conversation.
    public init(
        model: String, messages: [ChatMessage], tools: [ToolDefinition] = [],
        options: ChatOptions = ChatOptions(), includesUsage: Bool = true, route: ChatRoute = .chatCompletions
    ) {
        self.model = model
        self.messages = messages
        self.tools = tools
        self.options = options
        self.includesUsage = includesUsage
        self.route = route
    }

    /// Creates a request with one prompt.
    public init(model: String, prompt: String, options: ChatOptions = ChatOptions()) {
        self.init(model: model, messages: [.user(prompt)], options: options)
    }

    func body(isStream: Bool) throws -> [UInt8] {
        switch route {
        case .chatCompletions: try JSONCoding.encode(Body(request: self, isStream: isStream))
        case .messages: try MessagesRequest(request: self).body(isStream: isStream)
        case .responses: try ResponsesRequest(request: self).body(isStream: isStream)
        }
    }

    /// Returns whether a server that rejected the request requires the newer name of the token limit. A rejected
    /// request has had no effect.
    func mayNameItsLimitAnew(after failure: StatusFailure) -> Bool {
        guard route == .chatCompletions, failure.status == 400, options.maximumResponseTokens != nil,
            options.tokenLimitMember == .automatic, options.tokenLimitMember.name(for: model) == "max_tokens"
        else { return false }
        return failure.error?.param == "max_tokens"
            && failure.error?.message.contains("max_completion_tokens") == true
    }

    private struct Body: Encodable {
        let request: ChatRequest
        let isStream: Bool

        func encode(to encoder: any Encoder) throws {
            var members = encoder.container(keyedBy: MemberName.self)
            try members.encode(request.model, forKey: "model")
            try members.encode(request.messages.map(\.asSent), forKey: "messages")
            if !request.tools.isEmpty { try members.encode(request.tools, forKey: "tools") }
            try members.encodeStream(isStream, includesUsage: request.includesUsage)
            try members.encodeAdditional(
                request.options.chatMembers(of: request.model, hasTools: !request.tools.isEmpty))
        }
    }
}

extension KeyedEncodingContainer<MemberName> {
    /// Writes the members that request a stream. A whole response needs none.
    mutating func encodeStream(_ isStream: Bool, includesUsage: Bool) throws {
        guard isStream else { return }
        try encode(true, forKey: "stream")
        if includesUsage { try encode(["include_usage": true], forKey: "stream_options") }
    }
}

/// The route of a chat. Requests and responses have the same types on each route.
///
/// Headgate serves every model on every route, and translates if the upstream speaks another format. The model's own
/// route (``ModelDescription/chatRoute``) avoids any loss.
public enum ChatRoute: Hashable, Sendable {
    /// `POST /chat/completions`, in OpenAI's format.
    case chatCompletions
    /// `POST /messages`, in Anthropic's format. It supports no seed, and returns one choice.
    case messages
    /// `POST /responses`, in OpenAI's newer format. It supports neither seed nor stop sequences, and returns one
    /// choice. The server does not store the response, unless ``ChatOptions/additional`` contains `store`.
    case responses
}
