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

    /// Puts a prompt into the conversation.
    ///
    /// - Parameter run: begins the task of the turn: ending the turn cancels it.
    /// - Returns: the id of its turn; nil while another is on.
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

    /// The request of the next round; nil when the turn is over.
    func request(tools: [ToolDefinition], for id: Int) -> ChatRequest? {
        guard let turn, turn.id == id else { return nil }
        var options = options
        options.responseFormat = turn.format ?? options.responseFormat
        // A model that has to call a tool again and again never answers.
        if turn.round > 0, options.toolChoice?.demandsACall == true { options.toolChoice = nil }
        let rules = instructions.map { [ChatMessage.system($0)] } ?? []
        return ChatRequest(
            model: model, messages: rules + entries.map(\.message), tools: tools, options: options, route: route)
    }

    /// Adds a piece to the response.
    ///
    /// - Returns: the addition; nil if the turn is over.
    mutating func take(_ chunk: ChatCompletionChunk, for id: Int) -> ResponseUpdate? {
        guard turn?.id == id else { return nil }
        return turn?.take(chunk)
    }

    /// Returns the calls that the model requests at the end of a round; nil if the turn is over.
    ///
    /// - Throws: ``HeadgateClientError/toolCallsCut(_:)``: a cut response can lack half of a call.
    func calls(of id: Int) throws -> ResponseUpdate? {
        guard let turn, turn.id == id else { return nil }
        let calls = turn.calls.calls
        if let reason = turn.finishReason, !calls.isEmpty, reason.isCut {
            throw HeadgateClientError.toolCallsCut(reason)
        }
        return ResponseUpdate(toolCalls: calls, place: turn.place)
    }

    /// Ends a round with the results of its calls. Calls come into the conversation only together with their results,
    /// without which no upstream would take them.
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

    /// Ends a turn because the response failed, which the reader hears of after everything that has come: so all of it
    /// stays.
    mutating func fail(_ id: Int) {
        if let ended = turn, ended.id == id { keep(ended) }
    }

    /// Ends a turn because the reader has enough: what the reader was given stays.
    ///
    /// - Parameter id: nil for whatever turn is on.
    mutating func interrupt(_ id: Int?) -> Turn? {
        guard var ended = turn, id == nil || ended.id == id else { return nil }
        ended.cut(at: ended.reading.cut())
        keep(ended)
        return ended
    }

    /// Keeps the beginning of a response as a message. If there is none, the prompt is taken back, so that it may be
    /// given again.
    private mutating func keep(_ ended: Turn) {
        turn = nil
        if !ended.text.isEmpty || !ended.refusal.isEmpty {
            append(message(of: ended, calls: []), isPartial: true)
        } else if entries.count == ended.promptIndex + 1 {
            entries.removeLast()
        }
    }

    /// Ends the turn that is on, and forgets the conversation.
    mutating func clear() -> Turn? {
        let ended = turn
        _ = ended?.reading.cut()
        turn = nil
        entries = []
        return ended
    }

    private func message(of turn: Turn, calls: [ToolCall]) -> ChatMessage {
        // Without any other text the refusal is the content.
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
