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
/// It is `Observable` where the system has Observation (iOS 17, macOS 14), and an `ObservableObject` for `@StateObject`
/// on all of Apple's systems. It changes only on the main actor. It owns its session: requests made to the session
/// directly do not appear here.
@MainActor
public final class Conversation {
    /// Transcript without the reply in progress. A reply that was stopped or broke off is partial.
    public private(set) var messages: [TranscriptEntry] {
        get { read(\.messages, held.messages) }
        set { change(\.messages) { held.messages = newValue } }
    }
    /// The answer that is being given, as far as it has come; nil when there is none.
    public private(set) var answer: ChatResponse? {
        get { read(\.answer, held.answer) }
        set { change(\.answer) { held.answer = newValue } }
    }
    /// Why the last answer failed, until the next prompt; its `localizedDescription` is for people.
    public private(set) var failure: (any Error)? {
        get { read(\.failure, held.failure) }
        set { change(\.failure) { held.failure = newValue } }
    }
    /// The last prompt, if it failed or was stopped before any reply, and so is not in ``messages``: a view restores it
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
    /// An `ObservationRegistrar`, a type that older systems do not have.
    private let registrar: (any Sendable)?
    /// Number of prompts, so that a replaced reply no longer changes anything.
    private var turn = 0
    /// The prompt that is being answered, and the id of its message where the session has taken it.
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
    ///   - instructions: rules for the whole conversation, sent before everything else.
    ///   - tools: tools with distinct names.
    public convenience init(
        client: HeadgateClient, model: String, instructions: String? = nil, tools: [any Tool] = [],
        options: ChatOptions = ChatOptions()
    ) {
        self.init(
            session: ChatSession(
                client: client, model: model, instructions: instructions, tools: tools, options: options))
    }

    /// Whether an answer is being given: the send button is a stop button then.
    public var isAnswering: Bool { answer != nil }

    /// The model that gives the next answer.
    public var model: String {
        get { read(\.model, session.model) }
        set { change(\.model) { session.model = newValue } }
    }

    /// Sends a prompt, and returns when its answer has ended. Blank ones are ignored.
    ///
    /// An answer that is being given is stopped first, and what had come of it stays as a partial message. Cancelling
    /// the task that calls this stops the answer, as ``stop()`` does.
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

    /// Stops the answer that is being given; what had come of it stays as a partial message. Where that is nothing, the
    /// prompt is taken back.
    public func stop() {
        turn += 1
        session.cancel()
        end()
    }

    /// Stops the answer, and begins a new conversation under the same instructions.
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

/// One message of a session's conversation.
public struct TranscriptEntry: Hashable, Sendable, Codable, Identifiable {
    /// Unique in its session, and rising.
    public let id: Int
    /// The message.
    public let message: ChatMessage
    /// Whether the message is the beginning of a response that was cancelled or broke off.
    public let isPartial: Bool

    /// An entry, to continue a saved conversation.
    public init(id: Int, message: ChatMessage, isPartial: Bool = false) {
        self.id = id
        self.message = message
        self.isPartial = isPartial
    }
}
