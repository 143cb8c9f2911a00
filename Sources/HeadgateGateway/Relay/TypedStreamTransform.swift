internal import JSONBytes
internal import ServerSentEvents

/// The streams whose events are named by their `type`: Anthropic's Messages, OpenAI's Responses, images and speech. Every event is
/// relayed in its order; the terminal one ends the stream.
final class TypedStreamTransform: StreamTransform {
    struct Options {
        /// Written over the model's name wherever it stands; nil to leave it.
        var publicModel: String?
        /// The answer's id, where it is known before the answer begins.
        var id: String?
        /// The types that end a stream.
        var terminal: Set<String>
        /// The types that are no content: what an upstream sends before it has begun to answer, or just to stay connected.
        var silent: Set<String>
        /// Whether `[DONE]` follows the terminal event.
        var endsWithDone = false
        var errors: UpstreamErrorReading
    }

    private var answer = BrokenAnswer()
    private let options: Options
    private let modelLiteral: [UInt8]?

    init(options: Options) {
        self.options = options
        modelLiteral = options.publicModel.map(JSONEscaping.literal)
        answer.modelLiteral = modelLiteral
        answer.idLiteral = options.id.map(JSONEscaping.literal)
        super.init(errors: options.errors)
    }

    override var brokenAnswer: BrokenAnswer { answer }

    override func receiveDone(into output: inout [UInt8]) throws {
        // Not every upstream sends it, and where it comes the terminal event has been before.
        try decide(.failed(.incompleteStream()))
    }

    override func relay(_ document: UnsafeRawBufferPointer, _ name: EventName, into output: inout [UInt8]) throws {
        let event = try TypedEvent(document)
        let type = event.type.map { String(decoding: document[$0.contents], as: UTF8.self) } ?? ""
        if name == .error || type == "error" || (event.hasError && type.isEmpty) {
            try decide(.failed(errors.readTyped(document) ?? errors.unexplained(200)))
        }
        // What does not say what it is cannot be named, and an event without a name is lost on these clients.
        guard let typeContents = event.type?.contents, !typeContents.isEmpty else { return }
        note(event, type, document)
        let named = append(event, name: UnsafeRawBufferPointer(rebasing: document[typeContents]), document, to: &output)
        guard named else { try decide(.failed(.invalidEvent)) }
        guard options.terminal.contains(type) else { return }
        if options.endsWithDone { StreamTransform.appendDone(to: &output) }
        try decide(.finished(unclean: false))
    }

    private func note(_ event: TypedEvent, _ type: String, _ document: UnsafeRawBufferPointer) {
        events += 1
        if !options.silent.contains(type) { madeProgress = true }
        if let tokens = event.promptTokens { promptTokens = tokens }
        if let tokens = event.completionTokens { completionTokens = tokens }
        // A status before the end only says that the end has not come.
        let reason = event.stopReason ?? (options.terminal.contains(type) ? event.status : nil)
        if let reason = reason?.contents, !reason.isEmpty {
            finishReason = String(decoding: document[reason].prefix(32), as: UTF8.self)
        }
        if answer.idLiteral == nil, let id = event.id { answer.idLiteral = Array(document[id]) }
        if answer.modelLiteral == nil, let model = event.model { answer.modelLiteral = Array(document[model]) }
        if let number = event.sequenceNumber { answer.sequenceNumber = max(number &+ 1, 0) }
    }

    /// - Returns: false for a type that cannot be a name.
    private func append(
        _ event: TypedEvent, name: UnsafeRawBufferPointer, _ document: UnsafeRawBufferPointer, to output: inout [UInt8]
    ) -> Bool {
        guard let modelLiteral, let written = event.model else {
            return ServerSentEventEncoder.append(event: name, data: document, to: &output)
        }
        return modelLiteral.withUnsafeBytes { literal in
            let renamed = JSONSplice.applying([JSONEdit(written, Array(literal))], to: document)
            return renamed.withUnsafeBytes { ServerSentEventEncoder.append(event: name, data: $0, to: &output) }
        }
    }
}
