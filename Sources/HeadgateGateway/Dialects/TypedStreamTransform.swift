internal import JSONBytes
internal import ServerSentEvents

/// The streams whose events are named by their `type`: Anthropic's Messages, OpenAI's Responses, images and speech.
/// Every event is relayed in its order; the terminal one ends the stream.
final class TypedStreamTransform: StreamTransform {
    struct Options {
        /// Written over the model's name wherever it stands; nil to leave it.
        var publicModel: String?
        /// The answer's id, where it is known before the answer begins.
        var id: String?
        /// The types that end a stream.
        var terminal: Set<String>
        /// The types that are no content: what an upstream sends before it has begun to answer, or just to stay
        /// connected.
        var silent: Set<String>
        /// Whether `[DONE]` follows the terminal event.
        var endsWithDone = false
        var eventLimit = ServerSentEventLimits.standardBytes
        var errors: UpstreamErrorReading
        /// Who is told of the answer's id as soon as it has come: as it stands in JSON, with its quotes.
        var noteID: ((UnsafeRawBufferPointer) -> Void)?
    }

    private var answer = BrokenResponse()
    private let terminal: EventTypes
    private let silent: EventTypes
    private let endsWithDone: Bool
    private let modelLiteral: [UInt8]?
    private let noteID: ((UnsafeRawBufferPointer) -> Void)?

    init(options: Options) {
        terminal = EventTypes(options.terminal)
        silent = EventTypes(options.silent)
        endsWithDone = options.endsWithDone
        modelLiteral = options.publicModel.map(JSONEscaping.literal)
        noteID = options.noteID
        answer.modelLiteral = modelLiteral
        answer.idLiteral = options.id.map(JSONEscaping.literal)
        super.init(errors: options.errors, eventLimit: options.eventLimit)
    }

    override var brokenResponse: BrokenResponse { answer }

    override func receiveDone(into output: inout [UInt8]) throws {
        // Not every upstream sends it, and where it comes the terminal event has been before.
        try decide(.failed(.incompleteStream()))
    }

    override func relay(_ document: UnsafeRawBufferPointer, _ name: EventName, into output: inout [UInt8]) throws {
        let event = try TypedEvent(document)
        let type = UnsafeRawBufferPointer(rebasing: document[event.type?.contents ?? 0..<0])
        if name == .error || TypedStreamTransform.isError(type) || (event.hasError && type.isEmpty) {
            try decide(.failed(errors.readTyped(document) ?? errors.unexplained(200)))
        }
        // What does not say what it is cannot be named, and an event without a name is lost on these clients.
        guard !type.isEmpty else { return }
        let isTerminal = terminal.contains(type)
        note(event, type, isTerminal: isTerminal, document)
        guard append(event, name: type, document, to: &output) else { try decide(.failed(.invalidEvent)) }
        guard isTerminal else { return }
        if endsWithDone { StreamTransform.appendDone(to: &output) }
        try decide(.finished(unclean: false))
    }

    private static func isError(_ type: UnsafeRawBufferPointer) -> Bool {
        type.count == 5 && type.elementsEqual("error".utf8)
    }

    private func note(
        _ event: TypedEvent, _ type: UnsafeRawBufferPointer, isTerminal: Bool, _ document: UnsafeRawBufferPointer
    ) {
        events += 1
        if !silent.contains(type) { madeProgress = true }
        if let tokens = event.promptTokens { promptTokens = tokens }
        if let tokens = event.completionTokens { completionTokens = tokens }
        // A status before the end only says that the end has not come.
        if let reason = (event.stopReason ?? (isTerminal ? event.status : nil))?.contents, !reason.isEmpty {
            finishReason = FinishReason.word(document[reason])
        }
        if answer.idLiteral == nil, let id = event.id {
            answer.idLiteral = Array(document[id])
            noteID?(UnsafeRawBufferPointer(rebasing: document[id]))
        }
        if answer.modelLiteral == nil, let model = event.model { answer.modelLiteral = Array(document[model]) }
        if let number = event.sequenceNumber { answer.sequenceNumber = max(number &+ 1, 0) }
    }

    /// - Returns: false for a type that cannot be a name.
    private func append(
        _ event: TypedEvent, name: UnsafeRawBufferPointer, _ document: UnsafeRawBufferPointer, to output: inout [UInt8]
    ) -> Bool {
        guard event.errors.isEmpty else {
            let edited = JSONSplice.applying(event.edits(model: modelLiteral, errors, in: document), to: document)
            return edited.withUnsafeBytes { ServerSentEventEncoder.append(event: name, data: $0, to: &output) }
        }
        guard let modelLiteral, let written = event.model else {
            return ServerSentEventEncoder.append(event: name, data: document, to: &output)
        }
        return modelLiteral.withUnsafeBytes { literal in
            let renamed = JSONSplice.applying([JSONEdit(written, Array(literal))], to: document)
            return renamed.withUnsafeBytes { ServerSentEventEncoder.append(event: name, data: $0, to: &output) }
        }
    }
}

/// A few types of events, looked up once or twice per event: without making a string of it.
private struct EventTypes {
    private let names: [[UInt8]]

    init(_ names: Set<String>) { self.names = names.map { Array($0.utf8) } }

    func contains(_ type: UnsafeRawBufferPointer) -> Bool {
        for index in names.indices where names[index].count == type.count && type.elementsEqual(names[index]) {
            return true
        }
        return false
    }
}
