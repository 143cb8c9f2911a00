internal import JSONBytes
internal import ServerSentEvents

/// Assembles the bytes of a stream into whole events, within limits, and passes each to its dialect. Decides whether
/// the bytes are a stream at all, and how it ends.
struct EventAssembler {
    enum Verdict {
        case more
        /// The stream's own end has been written. `unclean` is true if the upstream's connection broke after that end.
        case finished(unclean: Bool)
        /// The stream ends, and the client gets this error in the dialect of its route.
        indirect case failed(GatewayError)
        /// The stream ends, and the upstream's own event, which has been written, reports the error to the client.
        indirect case reported(GatewayError)
    }

    /// Error that ends the stream, and with it the parsing of a chunk.
    struct Decided: Error {
        let verdict: Verdict

        init(_ verdict: Verdict) { self.verdict = verdict }
    }

    /// Whether the last bytes had no content, but continued an incomplete event.
    private(set) var isInsideEvent = false

    private let errors: UpstreamErrorReading
    private let eventLimit: Int
    private var parser: ServerSentEventParser
    private var documents: EventDocuments
    private var opening = StreamOpening()
    /// Result of ``opening``, stored so that it is not queried for every chunk.
    private var isStream = false
    /// Bytes of the current event and document when they were last checked.
    private var pendingBytes = 0
    /// Bytes since the last content.
    private var bytesWithoutContent = 0
    private var verdict: Verdict?
    /// Whether ``verdict`` is set; cheaper to check for every chunk.
    private var hasDecided = false

    /// - Parameter eventLimit: maximum bytes of an event, of a line, and of a document spread over several events.
    init(errors: UpstreamErrorReading, eventLimit: Int) {
        self.errors = errors
        self.eventLimit = eventLimit
        parser = ServerSentEventParser(limits: ServerSentEventLimits(lineBytes: eventLimit, eventBytes: eventLimit))
        documents = EventDocuments(errors: errors, limit: eventLimit)
    }

    /// Whether an event or a comment has arrived, which shows that the body is a stream.
    var hasBegun: Bool { documents.hasBegun }

    @inline(__always)
    mutating func receive(
        _ chunk: UnsafeRawBufferPointer, for dialect: some StreamTransform, into output: inout [UInt8]
    ) -> Verdict {
        dialect.counts.madeProgress = false
        if hasDecided, let verdict { return verdict }
        return isStream ? parse(chunk, for: dialect, into: &output) : open(chunk, for: dialect, into: &output)
    }

    private mutating func open(
        _ chunk: UnsafeRawBufferPointer, for dialect: some StreamTransform, into output: inout [UInt8]
    ) -> Verdict {
        switch opening.inspect(chunk) {
        // The stream has not begun, so these bytes do not end the wait for it.
        case .undecided, .document: return .more
        case .oversizeDocument: return conclude(.failed(.notStreaming))
        case .foreign: return conclude(.failed(.wrongContentType))
        case .stream(let early):
            isStream = true
            return early.withUnsafeBytes { parse(early.isEmpty ? chunk : $0, for: dialect, into: &output) }
        }
    }

    @inline(__always)
    private mutating func parse(
        _ chunk: UnsafeRawBufferPointer, for dialect: some StreamTransform, into output: inout [UInt8]
    ) -> Verdict {
        // The output is about as long as the input. Growing it step by step would take three allocations.
        if output.capacity < chunk.count { output.reserveCapacity(chunk.count + 64) }
        do {
            try parser.parse(chunk) { rest in
                documents.isHolding ? 0 : dialect.relayKnown(rest, into: &output)
            } _: { event in
                try documents.take(event, for: dialect, into: &output)
            }
        } catch {
            return conclude(error)
        }
        if parser.commentCount > 0 { documents.hasBegun = true }
        if !dialect.counts.madeProgress { return weigh(chunk.count) }
        pendingBytes = 0
        bytesWithoutContent = 0
        return .more
    }

    /// Counts bytes without content. The limit allows one event of the maximum size, and as many other bytes. More than
    /// that is a flood, which compression makes cheap for its sender.
    private mutating func weigh(_ count: Int) -> Verdict {
        let pending = parser.pendingDataBytes + documents.heldBytes
        isInsideEvent = pending > 0 && pending != pendingBytes
        pendingBytes = pending
        bytesWithoutContent += count
        return bytesWithoutContent > 2 * eventLimit ? conclude(.failed(.noContent)) : .more
    }

    mutating func end(_ error: (any Error)?, for dialect: some StreamTransform, into output: inout [UInt8])
        -> Verdict
    {
        dialect.counts.madeProgress = false
        if let verdict { return verdict }
        if let document = opening.document {
            if let error { return conclude(.failed(.stream(error))) }
            let reported = document.withUnsafeBytes { errors.read($0) }
            return conclude(.failed(reported ?? .notStreaming))
        }
        let isWhole = !parser.hasPendingEvent && !documents.isHolding
        do {
            // An event without its blank line counts if the body itself ended cleanly; `[DONE]` counts in any case.
            try parser.finish { event in
                guard error == nil || EventDocuments.isDone(event.data) else { return }
                try documents.take(event, for: dialect, into: &output)
            }
        } catch {
            return conclude(error)
        }
        guard !documents.isHolding, error == nil || isWhole, dialect.appendEnd(to: &output) else {
            let isEmpty = !hasBegun && !documents.isHolding
            return conclude(
                .failed(error.map { .stream($0) } ?? .incompleteStream(isEmpty ? .emptyStream : .truncatedBody)))
        }
        return conclude(.finished(unclean: error != nil))
    }

    private mutating func conclude(_ error: any Error) -> Verdict {
        conclude((error as? Decided)?.verdict ?? .failed(.oversizeEvent))
    }

    private mutating func conclude(_ verdict: Verdict) -> Verdict {
        self.verdict = verdict
        hasDecided = true
        return verdict
    }
}
