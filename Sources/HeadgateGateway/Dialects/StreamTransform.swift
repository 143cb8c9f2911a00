internal import HeadgateHTTP
internal import JSONBytes
internal import ServerSentEvents

/// Turns an upstream's bytes into a clean event stream: every event parsed, checked, and written anew on one line.
///
/// Pure: bytes in, bytes and a verdict out; the outcome does not depend on where the input is cut. A class so that the
/// parser can call back into it; what the events mean is a subclass's business.
class StreamTransform: RequestCounts {
    enum Verdict {
        case more
        /// The stream's own end has been written. Unclean: the upstream's connection broke, after everything had come.
        case finished(unclean: Bool)
        /// The client is to be told in the dialect of its route, and the stream ends there.
        case failed(GatewayError)
    }

    // What has been seen so far, for the log.
    final var events = 0
    final var promptTokens: Int?
    final var completionTokens: Int?
    final var finishReason: String?
    /// Whether an event or a comment has come, so that this is a stream.
    final private(set) var hasBegun = false
    /// Whether the last bytes, or the end, brought content.
    final var madeProgress = false
    /// Whether the last bytes, if they brought no content, went on with an event of the stream that is not complete.
    final private(set) var isInsideEvent = false

    final let errors: UpstreamErrorReading
    /// Octets of one event, of a line, and of a document that is spread over several events.
    private let eventLimit: Int
    private var parser: ServerSentEventParser
    private var opening = StreamOpening()
    /// What ``opening`` has found out: asking it costs a dynamic access check per chunk.
    private var isStream = false
    /// A JSON document that upstream spread over several events, as far as it has come.
    private var held: [UInt8] = []
    private var heldEvents = 0
    /// Of the event and the document under way, when that was last looked at.
    private var pendingBytes = 0
    /// Since the last content.
    private var bytesWithoutContent = 0
    private var verdict: Verdict?
    /// Whether there is a ``verdict``: cheaper to ask for every chunk.
    private var hasDecided = false

    private static let maximumHeldEvents = 8
    /// Octets of any content: ten milliseconds, on a usual machine.
    private static let readableAtOnce = 4 << 20
    private static let repairable = 1 << 20

    /// Ends the parsing of a chunk early.
    private struct Decided: Error {}

    init(errors: UpstreamErrorReading, eventLimit: Int) {
        self.errors = errors
        self.eventLimit = eventLimit
        parser = ServerSentEventParser(limits: ServerSentEventLimits(lineBytes: eventLimit, eventBytes: eventLimit))
    }

    final func note(in facts: inout Outcome) {
        facts.events = events
        facts.promptTokens = promptTokens
        facts.completionTokens = completionTokens
        facts.finishReason = finishReason
    }

    // MARK: What a dialect decides

    /// Takes one event's document, valid UTF-8 or not, and appends what goes downstream.
    ///
    /// - Throws: ``JSONError`` for what is no JSON object; what ``decide(_:)`` throws ends the stream.
    func relay(_ document: UnsafeRawBufferPointer, _ name: EventName, into output: inout [UInt8]) throws {}

    /// Takes those whole events at the start of `chunk` that need no reading, and appends what goes downstream.
    ///
    /// - Returns: how many bytes they are.
    func relayKnown(_ chunk: UnsafeRawBufferPointer, into output: inout [UInt8]) -> Int { 0 }

    /// `[DONE]` has come.
    func receiveDone(into output: inout [UInt8]) throws {}

    /// Whether nothing is missing should the body end here.
    var isComplete: Bool { false }

    /// Appends what ends a complete stream whose own end never came.
    func appendEnd(to output: inout [UInt8]) {}

    /// What is known of the answer, for the error event that may end it.
    var brokenResponse: BrokenResponse { BrokenResponse() }

    /// What the name of an event says about its data.
    enum EventName {
        case chunk, error, foreign

        fileprivate init(_ event: ServerSentEventView) {
            if event.name.isEmpty || event.isNamed("message") {
                self = .chunk
            } else {
                self = event.isNamed("error") ? .error : .foreign
            }
        }
    }

    // MARK: The upstream's bytes

    /// Takes bytes of the upstream's body and appends what goes downstream, whole events only.
    final func receive(_ chunk: UnsafeRawBufferPointer, into output: inout [UInt8]) -> Verdict {
        madeProgress = false
        if hasDecided, let verdict { return verdict }
        if isStream { return parse(chunk, into: &output) }
        switch opening.inspect(chunk) {
        // A stream that has not begun: such bytes do not stop the clock of who waits for it.
        case .undecided, .document: return .more
        case .oversizeDocument: return conclude(.failed(.notStreaming))
        case .foreign: return conclude(.failed(.wrongContentType))
        case .stream(let early):
            isStream = true
            if early.isEmpty { return parse(chunk, into: &output) }
            return early.withUnsafeBytes { parse($0, into: &output) }
        }
    }

    private func parse(_ chunk: UnsafeRawBufferPointer, into output: inout [UInt8]) -> Verdict {
        // What goes out is about as long as what came in; growing towards that takes three allocations.
        if output.capacity < chunk.count { output.reserveCapacity(chunk.count + 64) }
        do {
            try parser.parse(chunk) { rest in
                held.isEmpty ? relayKnown(rest, into: &output) : 0
            } _: { event in
                try handle(event, into: &output)
            }
        } catch is Decided {
            return verdict ?? .more
        } catch {
            return conclude(.failed(.oversizeEvent))
        }
        if parser.commentCount > 0 { hasBegun = true }
        if !madeProgress { return weigh(chunk.count) }
        pendingBytes = 0
        bytesWithoutContent = 0
        return .more
    }

    /// Takes note of bytes without content. What an event may have, and as much again for all that is not one, is the
    /// most that comes of them: more is a flood, which compression makes cheap for who sends it.
    private func weigh(_ count: Int) -> Verdict {
        let pending = parser.pendingDataBytes + held.count
        isInsideEvent = pending > 0 && pending != pendingBytes
        pendingBytes = pending
        bytesWithoutContent += count
        return bytesWithoutContent > 2 * eventLimit ? conclude(.failed(.noContent)) : .more
    }

    /// The upstream's body has ended, cleanly or with an error.
    final func end(_ error: (any Error)?, into output: inout [UInt8]) -> Verdict {
        madeProgress = false
        if let verdict { return verdict }
        if let document = opening.document {
            if let error { return conclude(.failed(.stream(error))) }
            let reported = document.withUnsafeBytes { errors.read($0, status: 200) }
            return conclude(.failed(reported ?? .notStreaming))
        }
        let isWhole = !parser.hasPendingEvent && held.isEmpty
        do {
            // An event without its blank line counts if the body itself ended cleanly; `[DONE]` counts in any case.
            try parser.finish { event in
                if error == nil || StreamTransform.isDone(event.data) { try handle(event, into: &output) }
            }
        } catch is Decided {
            return verdict ?? .more
        } catch {
            return conclude(.failed(.oversizeEvent))
        }
        guard isComplete, held.isEmpty, error == nil || isWhole else {
            let isEmpty = !hasBegun && held.isEmpty
            return conclude(
                .failed(error.map { .stream($0) } ?? .incompleteStream(isEmpty ? .emptyStream : .truncated)))
        }
        appendEnd(to: &output)
        return conclude(.finished(unclean: error != nil))
    }

    private func conclude(_ verdict: Verdict) -> Verdict {
        self.verdict = verdict
        hasDecided = true
        return verdict
    }

    /// Ends the stream here.
    final func decide(_ verdict: Verdict) throws -> Never {
        _ = conclude(verdict)
        throw Decided()
    }

    // MARK: Events

    private func handle(_ event: ServerSentEventView, into output: inout [UInt8]) throws {
        hasBegun = true
        if StreamTransform.isDone(event.data) {
            guard held.isEmpty else { try decide(.failed(.invalidEvent)) }
            return try receiveDone(into: &output)
        }
        let name = EventName(event)
        if held.isEmpty {
            switch event.data.first(where: { $0 > 0x20 }) {
            case UInt8(ascii: "{")?: break
            case nil: return  // Empty data keeps a connection alive and says nothing.
            default:
                if name == .foreign { return }
            }
        }
        if event.dataLineCount > 1 || !held.isEmpty {
            try join(event.data, name, into: &output)
        } else {
            try relayChecked(event.data, name, into: &output)
        }
    }

    /// Takes a document that came on several lines, or in several events.
    private func join(_ data: UnsafeRawBufferPointer, _ name: EventName, into output: inout [UInt8]) throws {
        var document = held
        held = []
        guard data.count <= eventLimit - document.count else {
            try decide(.failed(.oversizeEvent))
        }
        document.append(contentsOf: data)
        JSONCompaction.joinLines(&document)
        try document.withUnsafeBytes { try relayChecked($0, name, into: &output) }
    }

    private func relayChecked(
        _ document: UnsafeRawBufferPointer, _ name: EventName, into output: inout [UInt8]
    ) throws {
        guard document.count <= StreamTransform.readableAtOnce || StreamTransform.isLight(document) else {
            try decide(.failed(.oversizeEvent))
        }
        do {
            try relay(document, name, into: &output)
            heldEvents = 0
        } catch let error as JSONError {
            if name == .error { try decide(.failed(errors.unexplained(200))) }
            switch error.kind {
            case .endOfInput: try hold(document)
            case .invalidUTF8:
                guard document.count <= StreamTransform.repairable else { try decide(.failed(.invalidEvent)) }
                // Repaired once; the repaired text is valid, so this cannot come round again.
                let repaired = UTF8Sequence.repaired(document)
                try repaired.withUnsafeBytes { try relayChecked($0, name, into: &output) }
            default: try decide(.failed(.invalidEvent))
            }
        }
    }

    /// Whether a long document takes no longer than a short one may: it is mostly one long text, such as an image in
    /// base64. An event is read in one go, and its loop has others to serve.
    private static func isLight(_ document: UnsafeRawBufferPointer) -> Bool {
        JSONWeight.stops(in: document) <= readableAtOnce / 8
    }

    private func hold(_ document: UnsafeRawBufferPointer) throws {
        heldEvents += 1
        guard heldEvents <= StreamTransform.maximumHeldEvents else { try decide(.failed(.invalidEvent)) }
        held = Array(document)
    }

    private static func isDone(_ data: UnsafeRawBufferPointer) -> Bool {
        data.first == UInt8(ascii: "[") && data.starts(with: "[DONE]".utf8)
    }

    /// Ends an OpenAI stream.
    static func appendDone(to output: inout [UInt8]) { output.append(contentsOf: "data: [DONE]\n\n".utf8) }
}
