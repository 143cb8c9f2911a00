public import Observation

#if canImport(Combine)
    public import Combine

    extension Conversation: ObservableObject {}
#endif

@available(iOS 17, macOS 14, tvOS 17, watchOS 10, visionOS 1, *)
extension Conversation: Observable {}

/// A conversation for a view: the observable state of a ``ChatSession``.
///
/// ```swift
/// ForEach(conversation.messages) { entry in Text(entry.message.text) }
/// if let answer = conversation.answer { Text(answer.content) }
/// ```
///
/// It is `Observable` on systems with Observation (iOS 17, macOS 14), and an `ObservableObject` for `@StateObject` on
/// all Apple systems. It changes only on the main actor. It owns its session, so direct requests to the session do not
/// appear here.
@MainActor
public final class Conversation {
    /// Transcript without the reply in progress. A reply that was stopped or failed is partial.
    public private(set) var messages: [TranscriptEntry] {
        get { read(\.messages, held.messages) }
        set { change(\.messages) { held.messages = newValue } }
    }
    /// The reply in progress, as far as it has arrived; nil if there is none.
    public private(set) var answer: ChatResponse? {
        get { read(\.answer, held.answer) }
        set { change(\.answer) { held.answer = newValue } }
    }
    /// Error of the last reply until the next prompt; nil if it succeeded. Its `localizedDescription` is suitable for
    /// display.
    public private(set) var failure: (any Error)? {
        get { read(\.failure, held.failure) }
        set { change(\.failure) { held.failure = newValue } }
    }
    /// The last prompt, if it failed or was stopped before any reply, and so is not in ``messages``. A view restores it
    /// in its text field. Nil after the next prompt.
    public private(set) var takenBack: MessageContent? {
        get { read(\.takenBack, held.takenBack) }
        set { change(\.takenBack) { held.takenBack = newValue } }
    }

    private struct Held {
        var messages: [TranscriptEntry]
        var answer: ChatResponse?
        var failure: (any Error)?
        var takenBack: MessageContent?
    }

    private let session: ChatSession
    private var held: Held
    /// An `ObservationRegistrar`, which older systems do not have.
    private let registrar: (any Sendable)?
    /// Number of prompts, by which changes of a replaced reply are ignored.
    private var turn = 0
    /// The prompt of the reply in progress, and the id of its message if the session has accepted it.
    private var asked: (prompt: MessageContent, id: Int?)?

    /// Creates a conversation that continues a session.
    public init(session: ChatSession) {
        self.session = session
        held = Held(messages: session.transcript)
        if #available(iOS 17, macOS 14, tvOS 17, watchOS 10, visionOS 1, *) {
            registrar = ObservationRegistrar()
        } else {
            registrar = nil
        }
    }

    private func read<Value>(_ member: KeyPath<Conversation, Value>, _ value: Value) -> Value {
        if #available(iOS 17, macOS 14, tvOS 17, watchOS 10, visionOS 1, *) {
            (registrar as? ObservationRegistrar)?.access(self, keyPath: member)
        }
        return value
    }

    private func change(_ member: KeyPath<Conversation, some Any>, _ mutation: () -> Void) {
        #if canImport(Combine)
            objectWillChange.send()
        #endif
        if #available(iOS 17, macOS 14, tvOS 17, watchOS 10, visionOS 1, *),
            let registrar = registrar as? ObservationRegistrar
        {
            registrar.withMutation(of: self, keyPath: member, mutation)
        } else {
            mutation()
        }
    }

    /// Creates a conversation with a model.
    ///
    /// - Parameters:
    ///   - client: Client of the server.
    ///   - model: Public name of the model.
    ///   - instructions: Instructions for the whole conversation, sent before all messages.
    ///   - tools: Tools with distinct names.
    ///   - options: Options of all replies.
    public convenience init(
        client: HeadgateClient, model: String, instructions: String? = nil, tools: [any Tool] = [],
        options: ChatOptions = ChatOptions()
    ) {
        self.init(
            session: ChatSession(
                client: client, model: model, instructions: instructions, tools: tools, options: options))
    }

    /// Whether a reply is in progress, so that the send button becomes a stop button.
    public var isAnswering: Bool { answer != nil }

    /// Model for the next reply.
    public var model: String {
        get { read(\.model, session.model) }
        set { change(\.model) { session.model = newValue } }
    }

    /// Sends a prompt, and returns when its reply has ended. Blank prompts are ignored.
    ///
    /// A reply in progress is stopped first, and its part so far stays as a partial message. Canceling the calling task
    /// stops the reply, as ``stop()`` does.
    public func send(_ prompt: String) async { await send(.text(prompt)) }

    /// Sends a prompt with images, like ``send(_:)-(String)``.
    public func send(_ prompt: MessageContent) async {
        if case .text(let text) = prompt, text.allSatisfy(\.isWhitespace) { return }
        session.cancel()
        turn += 1
        let turn = turn
        failure = nil
        takenBack = nil
        answer = ChatResponse()
        let before = session.transcript.last?.id
        let stream = session.streamResponse(to: prompt)
        messages = session.transcript
        let id = messages.last?.id
        asked = (prompt, id == before ? nil : id)
        var thrown: (any Error)?
        do {
            for try await snapshot in stream {
                guard turn == self.turn else { return }
                answer = snapshot
            }
        } catch {
            thrown = error
        }
        guard turn == self.turn else { return }
        failure = thrown is CancellationError ? nil : thrown
        end()
    }

    /// Stops the reply in progress. The part so far stays as a partial message. If that is empty, the prompt is moved
    /// to ``takenBack``.
    public func stop() {
        turn += 1
        session.cancel()
        end()
    }

    /// Stops the reply, and starts a new conversation with the same instructions.
    public func clear() {
        turn += 1
        session.clear()
        failure = nil
        takenBack = nil
        asked = nil
        end()
    }

    private func end() {
        answer = nil
        messages = session.transcript
        if let asked, !messages.contains(where: { $0.id == asked.id }) { takenBack = asked.prompt }
        asked = nil
    }
}

/// A message of a session's conversation.
public struct TranscriptEntry: Hashable, Sendable, Codable, Identifiable {
    /// Id, unique in its session and increasing.
    public let id: Int
    /// The message.
    public let message: ChatMessage
    /// Whether the message is the beginning of a response that was canceled or failed.
    public let isPartial: Bool

    /// Creates an entry, to continue a saved conversation.
    public init(id: Int, message: ChatMessage, isPartial: Bool = false) {
        self.id = id
        self.message = message
        self.isPartial = isPartial
    }
}
