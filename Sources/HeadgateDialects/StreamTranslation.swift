/// Translates the stream of one response from the upstream's format to the client's.
package struct StreamTranslation {
    /// Facts from the events so far, for the log and for callers that wait for content.
    package private(set) var facts = Facts()

    package struct Facts: Equatable, Sendable {
        /// Whether the last event had content.
        package var hasContent = false
        /// Whether the stream's own end has arrived.
        package var hasEnded = false
        /// Whether an event reported an error.
        package var hasFailed = false
        package var end: ResponseEnd?
        package var usage = TokenUsage()
        /// Bytes of text, reasoning and tool calls that the model has written so far.
        package var textBytes = 0
    }

    private var reader: any StreamReader
    private var writer: any StreamWriter
    private var events: [ResponseEvent] = []
    private var seals: ResponseSealing
    private var callCount = 0
    /// Whether any event had content.
    private var hasHadContent = false
    /// Bytes of the ids and names of calls so far.
    private var nameBytes = 0

    private static let mostNameBytes = 1 << 20

    package init(from upstream: WireFormat, to client: ClientFormat, _ context: ResponseContext) {
        seals = ResponseSealing(provider: context.provider)
        reader = upstream.streamReader.init()
        writer = client.streamWriter(isSummary: context.compaction != nil).init(context)
    }

    /// Number of events written so far.
    package var eventCount: Int { writer.eventCount }

    /// The whole response as the client received it, in formats that repeat it at the end of a stream; nil in others.
    package var response: [UInt8]? {
        let writer = (writer as? CompactionStreamWriter<ResponsesStreamWriter>)?.writer ?? writer
        guard let writer = writer as? ResponsesStreamWriter else { return nil }
        var document: [UInt8] = []
        writer.appendResponse(to: &document)
        return document
    }

    /// Translates the document of one event and appends the client's events. ``facts`` describes the event afterwards.
    package mutating func receive(_ document: UnsafeRawBufferPointer, into output: inout [UInt8]) throws {
        let event = try JSONValue(document)
        events.removeAll(keepingCapacity: true)
        reader.read(event, into: &events)
        if seals.isNeeded(for: events) { events = seals.sealed(events) }
        facts.hasContent = false
        for event in events {
            note(event)
            if facts.hasFailed { return }
            guard callCount <= ToolCall.most, nameBytes <= StreamTranslation.mostNameBytes else {
                throw ResponseFault.oversize
            }
            try writer.write(event, to: &output)
        }
        if facts.hasContent { hasHadContent = true }
    }

    /// Ends a stream whose own end is not an event, or is missing although all content has arrived.
    ///
    /// - Parameter isMarked: Whether the upstream marked the end.
    /// - Returns: False, with nothing appended, if the stream is incomplete.
    package mutating func end(isMarked: Bool, into output: inout [UInt8]) throws(ResponseFault) -> Bool {
        // Without a finish reason, the arguments of a call might be cut off.
        guard reader.mayEnd || isMarked && callCount == 0 && hasHadContent else { return false }
        events.removeAll(keepingCapacity: true)
        reader.finish(into: &events)
        for event in events + [.ended] {
            note(event)
            try writer.write(event, to: &output)
        }
        return true
    }

    private mutating func note(_ event: ResponseEvent) {
        switch event {
        case .started: break
        case .text(let text), .refusal(let text), .reasoning(let text):
            if !text.isEmpty { facts.hasContent = true }
            facts.textBytes += text.utf8.count
        case .toolCall(_, let id, let name, _):
            facts.hasContent = true
            callCount += 1
            nameBytes += id.utf8.count + name.utf8.count
            facts.textBytes += name.utf8.count
        case .toolArguments(_, let text):
            facts.hasContent = true
            facts.textBytes += text.utf8.count
        case .reasoningSeal, .toolMembers, .compaction: facts.hasContent = true
        case .usage(let usage): facts.usage.update(with: usage)
        case .finished(let end):
            facts.hasContent = true
            facts.end = end
        case .ended: facts.hasEnded = true
        case .failed: facts.hasFailed = true
        }
    }
}

extension WireFormat {
    var streamReader: any StreamReader.Type {
        switch self {
        case .chat: ChatStreamReader.self
        case .messages: MessagesStreamReader.self
        case .responses: ResponsesStreamReader.self
        }
    }
}

extension ClientFormat {
    /// - Parameter isSummary: Whether the response is a summary, which the client receives as a compaction.
    func streamWriter(isSummary: Bool) -> any StreamWriter.Type {
        switch self {
        case .messages where isSummary: CompactionStreamWriter<MessagesStreamWriter>.self
        case .responses where isSummary: CompactionStreamWriter<ResponsesStreamWriter>.self
        case .chat: ChatStreamWriter.self
        case .messages: MessagesStreamWriter.self
        case .responses: ResponsesStreamWriter.self
        case .ollamaChat: OllamaStreamWriter<OllamaChatForm>.self
        case .ollamaGenerate: OllamaStreamWriter<OllamaGenerateForm>.self
        }
    }
}
