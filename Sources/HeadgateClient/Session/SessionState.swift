/// State of a session: its conversation, and the response in progress. Performs no I/O.
struct SessionState: Sendable {
    var model: String
    var instructions: String?
    var options: ChatOptions
    var route = ChatRoute.chatCompletions
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

    /// Adds a prompt to the conversation and begins its turn.
    ///
    /// - Parameter run: Starts the task of the turn. Ending the turn cancels it.
    /// - Returns: The id of the turn; nil while another one is in progress.
    mutating func begin(
        _ prompt: MessageContent, format: ResponseFormat? = nil, output: UpdateQueue, reading: ResponseReading,
        run: (Int) -> Task<Void, Never>
    ) -> Int? {
        guard turn == nil else { return nil }
        lastTurnID += 1
        turn = Turn(
            id: lastTurnID, promptIndex: entries.count, output: output, reading: reading, task: run(lastTurnID),
            format: format)
        append(.user(prompt))
        return lastTurnID
    }

    /// Returns the request of the next round; nil if the turn is over.
    func request(tools: [ToolDefinition], for id: Int) -> ChatRequest? {
        guard let turn, turn.id == id else { return nil }
        var options = options
        options.responseFormat = turn.format ?? options.responseFormat
        // A model that must call a tool in every round never replies.
        if turn.round > 0, options.toolChoice?.demandsACall == true { options.toolChoice = nil }
        let rules = instructions.map { [ChatMessage.system($0)] } ?? []
        return ChatRequest(
            model: model, messages: rules + entries.map(\.message), tools: tools, options: options, route: route)
    }

    /// Adds a piece to the response.
    ///
    /// - Returns: The addition; nil if the turn is over.
    mutating func take(_ chunk: ChatCompletionChunk, for id: Int) -> ResponseUpdate? {
        guard turn?.id == id else { return nil }
        return turn?.take(chunk)
    }

    /// Returns the calls that the model requests at the end of a round; nil if the turn is over.
    ///
    /// - Throws: ``HeadgateClientError/toolCallsCut(_:)``, because a cut response can contain an incomplete call.
    func calls(of id: Int) throws -> ResponseUpdate? {
        guard let turn, turn.id == id else { return nil }
        let calls = turn.calls.calls
        if let reason = turn.finishReason, !calls.isEmpty, reason.isCut {
            throw HeadgateClientError.toolCallsCut(reason)
        }
        return ResponseUpdate(toolCalls: calls, place: turn.place)
    }

    /// Ends a round with the results of its calls. Calls are added to the conversation only together with their
    /// results, because upstreams reject calls without results.
    mutating func endRound(results: [ChatMessage], for id: Int) {
        guard let ended = turn, ended.id == id else { return }
        append(message(of: ended, calls: ended.calls.calls))
        for result in results { append(result) }
        turn?.goOn()
    }

    /// Ends a turn with a whole response.
    mutating func finish(_ id: Int) -> Bool {
        guard let ended = turn, ended.id == id else { return false }
        append(message(of: ended, calls: []))
        turn = nil
        return true
    }

    /// Ends a turn whose response failed. All received text stays, because the reader gets the error after all of it.
    mutating func fail(_ id: Int) {
        if let ended = turn, ended.id == id { keep(ended) }
    }

    /// Ends a turn whose reader has stopped. The part that the reader received stays.
    ///
    /// - Parameter id: Id of the turn; nil for any turn in progress.
    mutating func interrupt(_ id: Int?) -> Turn? {
        guard var ended = turn, id == nil || ended.id == id else { return nil }
        ended.cut(at: ended.reading.cut())
        keep(ended)
        return ended
    }

    /// Adds the beginning of a response as a message. If it is empty, the prompt is removed, so that it can be sent
    /// again.
    private mutating func keep(_ ended: Turn) {
        turn = nil
        if !ended.text.isEmpty || !ended.refusal.isEmpty {
            append(message(of: ended, calls: []), isPartial: true)
        } else if entries.count == ended.promptIndex + 1 {
            entries.removeLast()
        }
    }

    /// Ends the turn in progress, and clears the conversation.
    mutating func clear() -> Turn? {
        let ended = turn
        _ = ended?.reading.cut()
        turn = nil
        entries = []
        return ended
    }

    private func message(of turn: Turn, calls: [ToolCall]) -> ChatMessage {
        // If there is no other text, the refusal becomes the content.
        let text = turn.text.isEmpty ? turn.refusal : turn.text
        let content = text.isEmpty && !calls.isEmpty ? nil : MessageContent.text(text)
        let reasoning = turn.reasoning.isEmpty ? nil : turn.reasoning
        return ChatMessage(role: .assistant, content: content, reasoning: reasoning, toolCalls: calls)
    }

    private mutating func append(_ message: ChatMessage, isPartial: Bool = false) {
        entries.append(TranscriptEntry(id: nextEntryID, message: message, isPartial: isPartial))
        nextEntryID += 1
    }
}
