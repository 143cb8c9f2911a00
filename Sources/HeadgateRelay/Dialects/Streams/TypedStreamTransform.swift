internal import JSONBytes
internal import ServerSentEvents

/// Stream whose events are named by their `type`: Anthropic's Messages, OpenAI's Responses, images and speech. All
/// events are relayed in order; the terminal one ends the stream.
final class TypedStreamTransform: StreamTransform {
    struct Options {
        /// Name that replaces the model's wherever it occurs; nil to leave it.
        var publicModel: String?
        /// Id of the response, if it is known before the response begins.
        var id: String?
        /// Types that end a stream.
        var terminal: Set<String>
        /// Types without content, which an upstream sends before it has begun to respond, or just to stay connected.
        var silent: Set<String>
        /// Terminal types that report an error instead of a response; empty if the relayed response failed long ago.
        var failing: Set<String> = []
        /// Whether `[DONE]` follows the terminal event.
        var endsWithDone = false
        var eventLimit = ServerSentEventLimits.standardBytes
        var errors: UpstreamErrorReading
        /// Called with the response's id as soon as it arrives, as a JSON literal with quotes.
        var noteID: ((UnsafeRawBufferPointer) -> Void)?
        /// Called with the token of a refused message, as a JSON literal with quotes.
        var noteToken: ((UnsafeRawBufferPointer) -> Void)?
    }

    @exclusivity(unchecked) var assembler: EventAssembler
    var counts = StreamCounts()
    var usageDetails = UsageDetails()
    private(set) var brokenResponse = BrokenResponse()
    private let errors: UpstreamErrorReading
    private let terminal: EventTypes
    private let silent: EventTypes
    private let failing: EventTypes
    private let endsWithDone: Bool
    private let modelLiteral: [UInt8]?
    private let noteID: ((UnsafeRawBufferPointer) -> Void)?
    private let noteToken: ((UnsafeRawBufferPointer) -> Void)?

    init(options: Options) {
        terminal = EventTypes(options.terminal)
        silent = EventTypes(options.silent)
        failing = EventTypes(options.failing)
        endsWithDone = options.endsWithDone
        modelLiteral = options.publicModel.map(JSONEscaping.literal)
        noteID = options.noteID
        noteToken = options.noteToken
        brokenResponse.modelLiteral = modelLiteral
        brokenResponse.idLiteral = options.id.map(JSONEscaping.literal)
        errors = options.errors
        assembler = EventAssembler(errors: options.errors, eventLimit: options.eventLimit)
    }

    func receiveDone(into output: inout [UInt8]) throws {
        // Upstreams that send `[DONE]` send the terminal event before it, so the stream is incomplete.
        throw EventAssembler.Decided(.failed(.incompleteStream()))
    }

    /// Returns false, because a stream without its terminal event is incomplete.
    func appendEnd(to output: inout [UInt8]) -> Bool { false }

    var namesEvents: Bool { true }

    /// Returns 0, because events differ at least in their numbers, so that each must be read.
    func relayKnown(_ chunk: UnsafeRawBufferPointer, into output: inout [UInt8]) -> Int { 0 }

    func relay(_ document: UnsafeRawBufferPointer, _ name: EventName, into output: inout [UInt8]) throws {
        let event = try TypedEvent(document)
        let type = UnsafeRawBufferPointer(rebasing: document[event.type?.contents ?? 0..<0])
        if name == .error || TypedStreamTransform.isError(type) || (event.hasError && type.isEmpty)
            || event.failsByReason(in: document)
        {
            throw EventAssembler.Decided(.failed(errors.readFailure(document)))
        }
        // Errors have their own types, or none.
        if !TypedStreamTransform.isOfStream(type), let error = errors.read(document) {
            throw EventAssembler.Decided(.failed(error))
        }
        // An event without a type cannot be named, and these clients lose events without a name.
        guard !type.isEmpty else { return }
        let isTerminal = terminal.contains(type)
        note(event, type, isTerminal: isTerminal, document)
        guard append(event, name: type, document, to: &output) else {
            throw EventAssembler.Decided(.failed(.invalidEvent))
        }
        guard isTerminal else { return }
        if failing.contains(type) { throw EventAssembler.Decided(.reported(errors.readFailure(document))) }
        if endsWithDone { EventStream.appendDone(to: &output) }
        throw EventAssembler.Decided(.finished(unclean: false))
    }

    private static func isError(_ type: UnsafeRawBufferPointer) -> Bool {
        type.count == 5 && type.elementsEqual("error".utf8)
    }

    /// Returns whether events of this type are parts of a response, by the prefix of the type.
    private static func isOfStream(_ type: UnsafeRawBufferPointer) -> Bool {
        for beginning in beginnings where type.starts(with: beginning) { return true }
        return false
    }

    private static let beginnings = [
        "response.", "content_block_", "message_", "ping", "keepalive", "transcript.", "speech.", "image_",
    ]
    .map { Array($0.utf8) }

    private func note(
        _ event: TypedEvent, _ type: UnsafeRawBufferPointer, isTerminal: Bool, _ document: UnsafeRawBufferPointer
    ) {
        counts.events += 1
        counts.textBytes += event.textBytes
        if !silent.contains(type) { counts.madeProgress = true }
        if let tokens = event.promptTokens { counts.promptTokens = tokens }
        if !event.usage.isEmpty { usageDetails.update(with: event.usage) }
        if event.countsCacheApart { counts.countsCacheApart = true }
        if let tokens = event.completionTokens { counts.completionTokens = tokens }
        // A status before the end only says that the response continues.
        if let reason = (event.stopReason ?? (isTerminal ? event.status : nil))?.contents, !reason.isEmpty {
            counts.finishReason = FinishReason.word(document[reason])
        }
        if brokenResponse.idLiteral == nil, let id = event.id {
            brokenResponse.idLiteral = Array(document[id])
            noteID?(UnsafeRawBufferPointer(rebasing: document[id]))
        }
        if let token = event.creditToken { noteToken?(UnsafeRawBufferPointer(rebasing: document[token])) }
        if brokenResponse.modelLiteral == nil, let model = event.model {
            brokenResponse.modelLiteral = Array(document[model])
        }
        if let number = event.sequenceNumber { brokenResponse.sequenceNumber = max(number &+ 1, 0) }
    }

    /// Appends an event under its type as its name.
    ///
    /// - Returns: false if the type cannot be a name.
    private func append(
        _ event: TypedEvent, name: UnsafeRawBufferPointer, _ document: UnsafeRawBufferPointer, to output: inout [UInt8]
    ) -> Bool {
        guard event.errors.isEmpty, event.stopReason == nil else {
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

/// Small set of event types, searched once or twice per event without creating a string.
private struct EventTypes {
    private let names: [[UInt8]]

    init(_ names: Set<String>) { self.names = names.map { Array($0.utf8) } }

    func contains(_ type: UnsafeRawBufferPointer) -> Bool {
        // Types of the same length end differently, as `delta` and `added` do.
        for index in names.indices where names[index].count == type.count && names[index].last == type.last {
            if type.elementsEqual(names[index]) { return true }
        }
        return false
    }
}
