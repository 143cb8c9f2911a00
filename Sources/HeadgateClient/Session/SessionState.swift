/// What a session knows: its conversation, and the answer that is being given. Without any effect of its own.
struct SessionState: Sendable {
    /// The answer that is being given.
    struct Turn: Sendable {
        let id: Int
        /// Where its prompt stands.
        let promptIndex: Int
        let output: AsyncThrowingStream<ResponseUpdate, any Error>.Continuation
        var task: Task<Void, Never>?
        /// The message of this round so far.
        var text = ""
        var reasoning = ""
        var calls = ToolCallAssembly()
    }

    var model: String
    var instructions: String?
    var options: ChatOptions
    private(set) var entries: [TranscriptEntry]
    private(set) var turn: Turn?
    private var lastTurnID = 0
    private var nextEntryID: Int

    init(model: String, instructions: String?, options: ChatOptions, entries: [TranscriptEntry]) {
        self.model = model
        self.instructions = instructions
        self.options = options
        self.entries = entries
        nextEntryID = (entries.map(\.id).max() ?? -1) + 1
    }

    /// Puts a prompt into the conversation.
    ///
    /// - Returns: the id of its turn; nil while another is on.
    mutating func begin(
        _ prompt: MessageContent, output: AsyncThrowingStream<ResponseUpdate, any Error>.Continuation
    ) -> Int? {
        guard turn == nil else { return nil }
        lastTurnID += 1
        turn = Turn(id: lastTurnID, promptIndex: entries.count, output: output)
        append(.user(prompt))
        return lastTurnID
    }

    mutating func attach(_ task: Task<Void, Never>, to id: Int) {
        if turn?.id == id { turn?.task = task }
    }

    /// The request of the next round; nil when the turn is over.
    func request(tools: [ToolDefinition], for id: Int) -> ChatRequest? {
        guard turn?.id == id else { return nil }
        let rules = instructions.map { [ChatMessage.system($0)] } ?? []
        return ChatRequest(model: model, messages: rules + entries.map(\.message), tools: tools, options: options)
    }

    /// Adds a piece to the answer.
    ///
    /// - Returns: what it adds; nil when the turn is over.
    mutating func take(_ chunk: ChatCompletionChunk, for id: Int) -> ResponseUpdate? {
        guard turn?.id == id else { return nil }
        var update = ResponseUpdate(usage: chunk.usage)
        for choice in chunk.choices where choice.index == 0 {
            update.text += choice.delta.content ?? ""
            update.reasoning += choice.delta.reasoning ?? ""
            update.finishReason = choice.finishReason ?? update.finishReason
            for fragment in choice.delta.toolCalls { turn?.calls.add(fragment) }
        }
        update.beginsRound = turn?.text.isEmpty == true
        turn?.text += update.text
        turn?.reasoning += update.reasoning
        return update
    }

    /// The calls that the model asks for at the end of a round.
    func calls(of id: Int) -> [ToolCall] {
        guard let turn, turn.id == id else { return [] }
        return turn.calls.calls
    }

    /// Ends a round with the results of its calls. Calls come into the conversation only together with their results, without
    /// which no upstream would take them.
    mutating func endRound(results: [ChatMessage], for id: Int) {
        guard let ended = turn, ended.id == id else { return }
        append(message(of: ended, calls: ended.calls.calls))
        for result in results { append(result) }
        turn?.text = ""
        turn?.reasoning = ""
        turn?.calls = ToolCallAssembly()
    }

    /// Ends a turn with a whole answer.
    mutating func finish(_ id: Int) -> Turn? {
        guard let ended = turn, ended.id == id else { return nil }
        append(message(of: ended, calls: []))
        turn = nil
        return ended
    }

    /// Ends a turn in the middle: what has come stays as a message. If nothing has, the prompt is taken back, so that it may be
    /// given again.
    ///
    /// - Parameter id: nil for whatever turn is on.
    mutating func interrupt(_ id: Int?) -> Turn? {
        guard let ended = turn, id == nil || ended.id == id else { return nil }
        turn = nil
        if !ended.text.isEmpty {
            append(message(of: ended, calls: []), isPartial: true)
        } else if entries.count == ended.promptIndex + 1 {
            entries.removeLast()
        }
        return ended
    }

    mutating func clear() -> Turn? {
        defer {
            turn = nil
            entries = []
        }
        return turn
    }

    private func message(of turn: Turn, calls: [ToolCall]) -> ChatMessage {
        let content = turn.text.isEmpty && !calls.isEmpty ? nil : MessageContent.text(turn.text)
        let reasoning = turn.reasoning.isEmpty ? nil : turn.reasoning
        return ChatMessage(role: .assistant, content: content, reasoning: reasoning, toolCalls: calls)
    }

    private mutating func append(_ message: ChatMessage, isPartial: Bool = false) {
        entries.append(TranscriptEntry(id: nextEntryID, message: message, isPartial: isPartial))
        nextEntryID += 1
    }
}
