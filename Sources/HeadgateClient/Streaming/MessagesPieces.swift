/// Converts events of Anthropic's Messages to pieces of a chat completion.
struct MessagesPieces: PieceReading {
    private var id = ""
    private var model = ""
    private var promptTokens: Int?
    private var cachedTokens: Int?

    init() {}

    var hasOwnEnd: Bool { true }

    var beginning: StreamPosition.Beginning? {
        get { .init(id: id, model: model, promptTokens: promptTokens, cachedTokens: cachedTokens) }
        set {
            guard let newValue else { return }
            (id, model) = (newValue.id, newValue.model)
            (promptTokens, cachedTokens) = (newValue.promptTokens, newValue.cachedTokens)
        }
    }

    mutating func piece(of document: [UInt8]) throws -> ChatCompletionChunk? {
        let event = try JSONCoding.decode(MessagesEvent.self, from: document)
        switch event.type {
        case "message_start":
            id = event.message?.id ?? ""
            model = event.message?.model ?? ""
            promptTokens = event.message?.usage?.promptTokens
            cachedTokens = event.message?.usage?.cacheReadTokens
            return chunk(.init(role: .assistant))
        case "content_block_start", "content_block_delta":
            guard let part = event.contentBlock ?? event.delta else { return chunk(.init()) }
            return chunk(part.delta(at: event.index ?? 0))
        case "message_delta":
            var last = chunk(.init(), finishing: event.delta?.finishReason)
            promptTokens = event.usage?.promptTokens ?? promptTokens
            cachedTokens = event.usage?.cacheReadTokens ?? cachedTokens
            if let completion = event.usage?.outputTokens {
                last.usage = TokenUsage(messages: completion, prompt: promptTokens, cached: cachedTokens)
            }
            return last
        case "message_stop": return nil
        // `ping`, and events of later versions.
        default: return chunk(.init())
        }
    }

    func whole(_ body: [UInt8]) throws -> ChatCompletionChunk {
        ChatCompletionChunk(whole: try JSONCoding.decode(MessagesResponse.self, from: body).completion)
    }

    private func chunk(
        _ delta: ChatCompletionChunk.Delta, finishing reason: FinishReason? = nil
    ) -> ChatCompletionChunk {
        ChatCompletionChunk(
            id: id, model: model, choices: [.init(index: 0, delta: delta, finishReason: reason)], usage: nil)
    }
}
