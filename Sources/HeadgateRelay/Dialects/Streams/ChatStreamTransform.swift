internal import JSONBytes
internal import ServerSentEvents

/// Stream of chat completions or legacy completions: chunks with choices, `[DONE]` at the end.
final class ChatStreamTransform: StreamTransform {
    struct Options {
        /// Name that replaces the model's in every chunk; nil to leave it.
        var publicModel: String?
        /// Number of requested choices. The stream is complete after as many finish reasons.
        var choices = 1
        var keepsUsage = false
        /// Whether the upstream's cache tokens are read.
        var readsCache = false
        var eventLimit = ServerSentEventLimits.standardBytes
        var errors: UpstreamErrorReading
    }

    @exclusivity(unchecked) var assembler: EventAssembler
    var counts = StreamCounts()
    var usageDetails = UsageDetails()
    private let errors: UpstreamErrorReading
    private let choices: Int
    private let keepsUsage: Bool
    private let readsCache: Bool
    private let modelLiteral: [UInt8]?
    private var finishedChoices: UInt128 = 0
    private var callNumbers = ChatCallNumbers()
    /// Moved out while it is used, because each access to the property would be checked otherwise.
    private var last = RepeatedEvent()

    init(options: Options) {
        choices = options.choices
        keepsUsage = options.keepsUsage
        readsCache = options.readsCache
        modelLiteral = options.publicModel.map(JSONEscaping.literal)
        errors = options.errors
        assembler = EventAssembler(errors: options.errors, eventLimit: options.eventLimit)
    }

    /// Empty, because an error event of this API does not describe the response that it ends.
    var brokenResponse: BrokenResponse { BrokenResponse() }

    func appendEnd(to output: inout [UInt8]) -> Bool {
        guard finishedChoices.nonzeroBitCount >= choices else { return false }
        EventStream.appendDone(to: &output)
        return true
    }

    func receiveDone(into output: inout [UInt8]) throws {
        EventStream.appendDone(to: &output)
        throw EventAssembler.Decided(.finished(unclean: false))
    }

    func relay(_ document: UnsafeRawBufferPointer, _ name: EventName, into output: inout [UInt8]) throws {
        let event = try ChatEvent(document)
        if event.hasCalls, !callNumbers.areWritten, let numbered = try callNumbers.numbered(document) {
            return try numbered.withUnsafeBytes { try relay(ChatEvent($0), $0, name, into: &output) }
        }
        try relay(event, document, name, into: &output)
    }

    @inline(__always)
    private func relay(
        _ event: ChatEvent, _ document: UnsafeRawBufferPointer, _ name: EventName, into output: inout [UInt8]
    ) throws {
        if event.hasError || name == .error {
            throw EventAssembler.Decided(.failed(errors.readFailure(document)))
        }
        if event.choiceCount == 0, try !relaysWithoutChoice(event, document, name) { return }
        note(event, document)
        if event.hasUsage, event.choiceCount == 0, !keepsUsage { return }
        if event.finishReason != nil, try finish(event, document, into: &output) { return }
        append(event, document, to: &output)
        if name == .chunk { remember(event, document) }
    }

    /// Whether an event without a choice is sent to the client.
    ///
    /// - Throws: ``EventAssembler/Decided`` for an error in an event that is not named as one.
    @inline(never)
    private func relaysWithoutChoice(
        _ event: ChatEvent, _ document: UnsafeRawBufferPointer, _ name: EventName
    ) throws -> Bool {
        // An event that counts completion tokens belongs to a response. A bare text is an error only in an event that
        // is named as a chunk.
        if (event.completionTokens ?? 0) == 0, let error = errors.read(document, byWordsAlone: name == .chunk) {
            throw EventAssembler.Decided(.failed(error))
        }
        // A foreign event would reach the application as a chunk without choices.
        return name != .foreign || event.hasChoices
    }

    /// Processes a chunk that ends a choice.
    /// - Returns: whether the chunk has been relayed, with an edited reason.
    /// - Throws: ``EventAssembler/Decided`` if the chunk reports that the response has failed.
    @inline(never)
    private func finish(
        _ event: ChatEvent, _ document: UnsafeRawBufferPointer, into output: inout [UInt8]
    ) throws -> Bool {
        let reason = event.finishReason(in: document)
        if counts.finishReason == nil { counts.finishReason = reason?.word }
        // The usual case: one choice with a known reason.
        if event.choiceCount == 1, reason?.isPlain == true { return false }
        let reasons = try ChatFinishReasons(document)
        var edits = reasons.hasFailed ? reasons.withoutReasons : reasons.edits(errors)
        guard reasons.hasFailed || !edits.isEmpty else { return false }
        if let modelLiteral, let written = event.modelLiteral { edits.append(JSONEdit(written, modelLiteral)) }
        edits.sort { $0.range.lowerBound < $1.range.lowerBound }
        // The text of the chunk is delivered first, and then the error.
        if !reasons.hasFailed || event.text != nil {
            let edited = JSONSplice.applying(edits, to: document)
            ServerSentEventEncoder.appendLine(to: &output) { $0.append(contentsOf: edited) }
        }
        if reasons.hasFailed { throw EventAssembler.Decided(.failed(errors.readFailure(document))) }
        return true
    }

    private func remember(_ event: ChatEvent, _ document: UnsafeRawBufferPointer) {
        var last = RepeatedEvent()
        swap(&last, &self.last)
        last.remember(event, document, replacing: modelLiteral == nil ? nil : event.modelLiteral)
        swap(&last, &self.last)
    }

    var namesEvents: Bool { false }

    func relayKnown(_ chunk: UnsafeRawBufferPointer, into output: inout [UInt8]) -> Int {
        var last = RepeatedEvent()
        swap(&last, &self.last)
        defer { swap(&last, &self.last) }
        var count = 0
        // Adjacent unchanged bytes are copied in one piece.
        var copied = 0
        let end = last.walk(chunk) { start in
            count += 1
            guard let modelLiteral, let model = last.model else { return }
            output.append(contentsOf: UnsafeRawBufferPointer(rebasing: chunk[copied..<start + model.lowerBound]))
            output.append(contentsOf: modelLiteral)
            copied = start + model.upperBound
        }
        guard count > 0 else { return 0 }
        output.append(contentsOf: UnsafeRawBufferPointer(rebasing: chunk[copied..<end]))
        counts.events += count
        counts.textBytes += end - count * last.frame
        counts.madeProgress = true
        return end
    }

    private func note(_ event: ChatEvent, _ document: UnsafeRawBufferPointer) {
        finishedChoices |= event.finishedChoices
        counts.events += 1
        if event.hasContent { counts.madeProgress = true }
        // Servers that send a text and details repeat the text in the details.
        counts.textBytes += event.text?.contents.count ?? event.callBytes
        if let prompt = event.promptTokens {
            counts.promptTokens = prompt
            if readsCache { usageDetails.update(with: event.usageDetails(in: document)) }
        }
        if let completion = event.completionTokens { counts.completionTokens = completion }
    }

    private func append(_ event: ChatEvent, _ document: UnsafeRawBufferPointer, to output: inout [UInt8]) {
        guard let modelLiteral, let written = event.modelLiteral else {
            return ServerSentEventEncoder.appendLine(to: &output) { $0.append(contentsOf: document) }
        }
        ServerSentEventEncoder.appendLine(to: &output) { output in
            modelLiteral.withUnsafeBytes { JSONSplice.append(document, replacing: written, with: $0, to: &output) }
        }
    }
}
