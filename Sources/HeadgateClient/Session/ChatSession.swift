internal import HeadgatePrimitives

/// A conversation with a model. It stores the transcript and runs the tools that the model calls.
///
/// ```swift
/// let session = ChatSession(client: client, model: "smollm2", instructions: "Answer in one sentence.")
/// for try await answer in session.streamResponse(to: "Why is the sky blue?") {
///     show(answer.content)  // all of it, so far
/// }
/// ```
///
/// A session handles one response at a time. Members can be used from any thread. They return at once, unless they
/// return a response. The response and its tool calls run in a task of the session, which is canceled with the
/// caller's task.
public final class ChatSession: Sendable {
    /// Tools that the model can call.
    public let tools: [any Tool]
    /// Maximum rounds of tool calls in one response.
    public let maximumToolRounds: Int

    let client: HeadgateClient
    let state: Locked<SessionState>

    /// Creates a session, or continues an earlier one.
    ///
    /// - Parameters:
    ///   - client: Client of the server.
    ///   - model: Public name of the model.
    ///   - instructions: Instructions for the whole conversation, sent before all messages.
    ///   - tools: Tools with distinct names.
    ///   - options: Options of all responses.
    ///   - maximumToolRounds: Maximum rounds of tool calls in one response.
    ///   - transcript: Transcript of an earlier session to continue.
    public init(
        client: HeadgateClient, model: String, instructions: String? = nil, tools: [any Tool] = [],
        options: ChatOptions = ChatOptions(), maximumToolRounds: Int = 8, transcript: [TranscriptEntry] = []
    ) {
        self.client = client
        self.tools = tools
        self.maximumToolRounds = maximumToolRounds
        state = Locked(
            SessionState(model: model, instructions: instructions, options: options, entries: transcript))
    }

    /// The conversation so far: prompts, responses, tool calls and their results. It does not contain the response in
    /// progress.
    public var transcript: [TranscriptEntry] { state.withLock { $0.entries } }

    /// Whether a response is in progress. It ends when its reader has received the end.
    public var isResponding: Bool { state.withLock { $0.turn != nil } }

    /// Model for the next response.
    public var model: String {
        get { state.withLock { $0.model } }
        set { state.withLock { $0.model = newValue } }
    }

    /// Route of requests from the next response on, such as ``ModelDescription/chatRoute``.
    public var route: ChatRoute {
        get { state.withLock { $0.route } }
        set { state.withLock { $0.route = newValue } }
    }

    /// Instructions for the whole conversation, from the next response on.
    public var instructions: String? {
        get { state.withLock { $0.instructions } }
        set { state.withLock { $0.instructions = newValue } }
    }

    /// Options from the next response on. Only the first choice is used.
    public var options: ChatOptions {
        get { state.withLock { $0.options } }
        set { state.withLock { $0.options = newValue } }
    }

    /// Responds to a prompt.
    ///
    /// - Returns: The whole response. After ``cancel()``, the part so far, with `isComplete` set to false.
    /// - Throws: The errors of ``ResponseStream``.
    public func respond(to prompt: MessageContent) async throws -> ChatResponse {
        var response = ChatResponse()
        for try await snapshot in streamResponse(to: prompt) { response = snapshot }
        if !response.isComplete { try Task.checkCancellation() }
        return response
    }

    /// Responds to a text prompt.
    ///
    /// - Returns: The whole response. After ``cancel()``, the part so far, with `isComplete` set to false.
    /// - Throws: The errors of ``ResponseStream``.
    public func respond(to prompt: String) async throws -> ChatResponse { try await respond(to: .text(prompt)) }

    /// Streams the response to a prompt. The request is sent at once.
    ///
    /// Each piece of the response has its own snapshot. If a reader is more than about 64 KiB behind, the server must
    /// wait.
    ///
    /// The stream throws ``HeadgateClientError/alreadyResponding`` while another response is in progress.
    public func streamResponse(to prompt: MessageContent) -> ResponseStream { streamResponse(to: prompt, format: nil) }

    func streamResponse(to prompt: MessageContent, format: ResponseFormat?) -> ResponseStream {
        let output = UpdateQueue()
        let reading = ResponseReading()
        let id = state.withLock { state in
            state.begin(prompt, format: format, output: output, reading: reading) { id in
                Task { await run(id, output) }
            }
        }
        if id == nil { output.finish(throwing: HeadgateClientError.alreadyResponding) }
        return ResponseStream(updates: output, visit: ResponseVisit(of: self, turn: id, reading: reading))
    }

    /// Streams the response to a text prompt.
    public func streamResponse(to prompt: String) -> ResponseStream { streamResponse(to: .text(prompt)) }

    /// Cancels the response in progress, if there is one, and ends its stream. The part that its reader has received
    /// stays in the transcript as a message. If that is empty, the prompt is removed. The session can be used again at
    /// once.
    public func cancel() { interrupt(nil) }

    /// Cancels the response in progress, and starts a new conversation with the same instructions.
    public func clear() { stop(state.withLock { $0.clear() }) }

    func interrupt(_ id: Int?) { stop(state.withLock { $0.interrupt(id) }) }

    private func stop(_ turn: SessionState.Turn?) {
        turn?.task.cancel()
        turn?.output.cut()
    }
}
