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
/// A session has one response at a time. All members can be called from any thread, and only responses wait. Tool calls
/// and the response run in a task of the session: cancelling the caller's task cancels them.
public final class ChatSession: Sendable {
    /// Tools that the model may call.
    public let tools: [any Tool]
    /// How often the model may ask for tools in one response.
    public let maximumToolRounds: Int

    let client: HeadgateClient
    let state: Locked<SessionState>

    /// Creates a session, new or continued.
    ///
    /// - Parameters:
    ///   - instructions: rules for the whole conversation, sent before everything else.
    ///   - tools: tools with distinct names.
    ///   - transcript: the transcript of an earlier session to continue.
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

    /// The conversation so far: prompts, responses, calls of tools and their results. A response that is still coming
    /// is not in it.
    public var transcript: [TranscriptEntry] { state.withLock { $0.entries } }

    /// Whether a response is being given: until its reader has been given the end.
    public var isResponding: Bool { state.withLock { $0.turn != nil } }

    /// The model that gives the next response.
    public var model: String {
        get { state.withLock { $0.model } }
        set { state.withLock { $0.model = newValue } }
    }

    /// Route of requests, from the next response on: ``ModelDescription/chatRoute``.
    public var route: ChatRoute {
        get { state.withLock { $0.route } }
        set { state.withLock { $0.route = newValue } }
    }

    /// Rules for the whole conversation, from the next response on.
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
    /// - Returns: the whole response; after ``cancel()`` what had come of it, with `isComplete` false.
    /// - Throws: as ``ResponseStream`` does.
    public func respond(to prompt: MessageContent) async throws -> ChatResponse {
        var response = ChatResponse()
        for try await snapshot in streamResponse(to: prompt) { response = snapshot }
        if !response.isComplete { try Task.checkCancellation() }
        return response
    }

    /// Responds to a prompt.
    ///
    /// - Returns: the whole response; after ``cancel()`` what had come of it, with `isComplete` false.
    /// - Throws: as ``ResponseStream`` does.
    public func respond(to prompt: String) async throws -> ChatResponse { try await respond(to: .text(prompt)) }

    /// Streams the response to a prompt. The request is sent at once.
    ///
    /// Each piece of the response has its own snapshot. If a reader is more than about 64 KiB behind, the server has to
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

    /// Responds to a prompt, and shows the response as it grows.
    public func streamResponse(to prompt: String) -> ResponseStream { streamResponse(to: .text(prompt)) }

    /// Stops the response that is being given, if there is one. What its reader has been given stays in the transcript
    /// as a message, and the stream ends; when that is nothing, the prompt is taken back. The session may be used again
    /// at once.
    public func cancel() { interrupt(nil) }

    /// Stops the response that is being given, and begins a new conversation under the same instructions.
    public func clear() { stop(state.withLock { $0.clear() }) }

    func interrupt(_ id: Int?) { stop(state.withLock { $0.interrupt(id) }) }

    private func stop(_ turn: SessionState.Turn?) {
        turn?.task.cancel()
        turn?.output.cut()
    }
}
