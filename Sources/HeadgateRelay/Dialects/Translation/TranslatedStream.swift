internal import HeadgateDialects
internal import JSONBytes
internal import ServerSentEvents

/// Stream whose events are rewritten in the client's format.
final class TranslatedStream: StreamTransform {
    var assembler: EventAssembler
    var counts = StreamCounts()
    var usageDetails = UsageDetails()
    private let translator: ResponseTranslator
    private var translation: StreamTranslation
    private let errors: UpstreamErrorReading
    private var hasReadEvents = false
    /// Usage that the upstream has reported so far.
    private var usage = TokenUsage()
    private let ended: (([UInt8]) -> Void)?

    /// - Parameters:
    ///   - eventLimit: maximum bytes of one event of the upstream.
    ///   - ended: called with the whole response once it is complete.
    init(
        _ translator: ResponseTranslator, errors: UpstreamErrorReading, eventLimit: Int,
        ended: (([UInt8]) -> Void)? = nil
    ) {
        self.ended = ended
        self.translator = translator
        self.errors = errors
        translation = StreamTranslation(from: translator.upstream, to: translator.client, translator.context)
        assembler = EventAssembler(errors: errors, eventLimit: eventLimit)
    }

    var brokenResponse: BrokenResponse {
        var broken = BrokenResponse()
        broken.idLiteral = JSONEscaping.literal("resp_\(translator.context.id)")
        broken.modelLiteral = JSONEscaping.literal(translator.context.model)
        broken.sequenceNumber = translation.eventCount
        return broken
    }

    /// Whether the response has begun. Comments alone begin it. Events without output do not, so that an error can
    /// still be a status.
    var hasBegun: Bool { assembler.hasBegun && (hasEvents || !hasReadEvents) }

    var namesEvents: Bool { if case .chat = translator.upstream { false } else { true } }

    /// Returns 0, because each event must be read.
    func relayKnown(_ chunk: UnsafeRawBufferPointer, into output: inout [UInt8]) -> Int { 0 }

    func relay(_ document: UnsafeRawBufferPointer, _ name: EventName, into output: inout [UInt8]) throws {
        hasReadEvents = true
        // Gemini puts its errors into an array.
        if document.first == UInt8(ascii: "["), let error = errors.read(document) {
            throw EventAssembler.Decided(.failed(ErrorTranslation.adapted(error, to: translator.client)))
        }
        if name == .foreign, !namesEvents, try isForeign(document) { return }
        let written = output.count
        do {
            try translation.receive(document, into: &output)
        } catch let fault as ResponseFault {
            throw EventAssembler.Decided(.failed(failure(fault)))
        }
        let facts = translation.facts
        if facts.hasFailed || name == .error {
            throw EventAssembler.Decided(.failed(translator.reportedError(in: document, errors)))
        }
        if output.count > written { counts.events += 1 }
        if facts.hasContent { counts.madeProgress = true }
        if facts.usage != usage { noteDetails(of: document, facts.usage) }
        note(facts)
        if facts.hasEnded {
            tellEnd()
            throw EventAssembler.Decided(.finished(unclean: false))
        }
    }

    /// Returns whether to leave out an event that is not named as a chunk, because it has no choices. Throws if it is
    /// an error.
    private func isForeign(_ document: UnsafeRawBufferPointer) throws -> Bool {
        guard try !ChatEvent(document).hasChoices else { return false }
        if let error = errors.read(document, byWordsAlone: false) {
            throw EventAssembler.Decided(.failed(ErrorTranslation.adapted(error, to: translator.client)))
        }
        return true
    }

    /// Records the details of the upstream's usage, besides the counts that every format has.
    private func noteDetails(of document: UnsafeRawBufferPointer, _ usage: TokenUsage) {
        self.usage = usage
        let details: UsageDetails? =
            namesEvents ? (try? TypedEvent(document))?.usage : (try? ChatEvent(document))?.usageDetails(in: document)
        if let details { usageDetails.update(with: details) }
    }

    private func noteEnd() {
        note(translation.facts)
        tellEnd()
    }

    private func tellEnd() {
        if let ended, let response = translation.response { ended(response) }
    }

    private func note(_ facts: StreamTranslation.Facts) {
        counts.promptTokens = facts.usage.input ?? counts.promptTokens
        counts.completionTokens = facts.usage.output ?? counts.completionTokens
        counts.textBytes = facts.textBytes
        if let end = facts.end { counts.finishReason = end.word }
    }

    func receiveDone(into output: inout [UInt8]) throws {
        // In other formats, the terminal event comes before `[DONE]`, or the response is incomplete.
        guard case .chat = translator.upstream else { throw EventAssembler.Decided(.failed(.incompleteStream())) }
        let isComplete: Bool
        do {
            isComplete = try translation.end(isMarked: true, into: &output)
        } catch {
            throw EventAssembler.Decided(.failed(failure(error)))
        }
        if isComplete { noteEnd() }
        throw EventAssembler.Decided(isComplete ? .finished(unclean: false) : .failed(.incompleteStream()))
    }

    func appendEnd(to output: inout [UInt8]) -> Bool {
        guard (try? translation.end(isMarked: false, into: &output)) == true else { return false }
        noteEnd()
        return true
    }

    private func failure(_ fault: ResponseFault) -> GatewayError {
        switch fault {
        case .oversize: .oversizeResponse
        case .noSummary: .noSummary(by: errors.upstream)
        case .error, .unexpected: .invalidEvent
        }
    }
}

extension ResponseEnd {
    /// Word for the log, as chat completions name it.
    fileprivate var word: String {
        switch self {
        case .stop, .stopSequence: "stop"
        case .length: "length"
        case .toolCalls: "tool_calls"
        case .refused: "content_filter"
        case .paused: "pause_turn"
        }
    }
}
