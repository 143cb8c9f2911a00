internal import JSONBytes
internal import ServerSentEvents

/// Turns an upstream's bytes into a clean chat stream: every event parsed, checked, and written anew on one line.
///
/// Pure: bytes in, bytes and a verdict out; the outcome does not depend on where the input is cut. A class only so that
/// the parser can call back into it.
final class ChatStreamTransform {
    enum Verdict {
        case more
        /// `[DONE]` has been written. Unclean: the upstream's connection broke, after everything had come.
        case finished(unclean: Bool)
        /// The client is to be told, and gets no `[DONE]`.
        case failed(GatewayError)
    }

    struct Options {
        /// Written over the model's name in every chunk; nil to leave it.
        var publicModel: String?
        /// Answers asked for: as many finish reasons make the stream complete.
        var choices = 1
        var keepsUsage = false
        var errors: UpstreamErrorReading
    }

    /// What has been seen so far.
    private(set) var events = 0
    private(set) var promptTokens: Int?
    private(set) var completionTokens: Int?
    private(set) var finishReason: String?
    /// Whether an event or a comment has come, so that this is a stream.
    private(set) var hasBegun = false
    /// Whether the last bytes, or the end, brought content.
    private(set) var madeProgress = false

    private let options: Options
    private let modelLiteral: [UInt8]?
    private var parser = ServerSentEventParser()
    private var opening = StreamOpening()
    /// What ``opening`` has found out: asking it costs a dynamic access check per chunk.
    private var isStream = false
    private var finishedChoices: UInt128 = 0
    /// A JSON document that upstream spread over several events, as far as it has come.
    private var held: [UInt8] = []
    private var heldEvents = 0
    private var verdict: Verdict?

    private static let maximumHeldBytes = 4 << 20
    private static let maximumHeldEvents = 8

    /// Ends the parsing of a chunk early.
    private struct Decided: Error {}

    init(options: Options) {
        self.options = options
        modelLiteral = options.publicModel.map { name in
            var literal: [UInt8] = []
            JSONEscaping.append(name, to: &literal)
            return literal
        }
    }

    /// Takes bytes of the upstream's body and appends what goes downstream, whole events only.
    func receive(_ chunk: UnsafeRawBufferPointer, into output: inout [UInt8]) -> Verdict {
        madeProgress = false
        if let verdict { return verdict }
        if isStream { return parse(chunk, into: &output) }
        switch opening.inspect(chunk) {
        case .undecided, .document: return .more
        case .oversizeDocument: return decide(.failed(.notStreaming))
        case .foreign: return decide(.failed(.wrongContentType))
        case .stream(let early):
            isStream = true
            if early.isEmpty { return parse(chunk, into: &output) }
            return early.withUnsafeBytes { parse($0, into: &output) }
        }
    }

    private func parse(_ chunk: UnsafeRawBufferPointer, into output: inout [UInt8]) -> Verdict {
        do {
            try parser.parse(chunk) { event in try handle(event, into: &output) }
        } catch is Decided {
            return verdict ?? .more
        } catch {
            return decide(.failed(.oversizeEvent))
        }
        if parser.commentCount > 0 { hasBegun = true }
        return .more
    }

    /// The upstream's body has ended, cleanly or with an error.
    func end(_ error: (any Error)?, into output: inout [UInt8]) -> Verdict {
        madeProgress = false
        if let verdict { return verdict }
        if let document = opening.document {
            if let error { return decide(.failed(.stream(error))) }
            let reported = document.withUnsafeBytes { options.errors.read($0, status: 200) }
            return decide(.failed(reported ?? .notStreaming))
        }
        let isWhole = !parser.hasPendingEvent && held.isEmpty
        do {
            // An event without its blank line counts if the body itself ended cleanly; `[DONE]` counts in any case.
            try parser.finish { event in
                if error == nil || ChatStreamTransform.isDone(event.data) { try handle(event, into: &output) }
            }
        } catch is Decided {
            return verdict ?? .more
        } catch {
            return decide(.failed(.oversizeEvent))
        }
        guard hasAllChoices, held.isEmpty, error == nil || isWhole else {
            return decide(.failed(error.map { .stream($0) } ?? .incompleteStream()))
        }
        ChatStreamTransform.appendDone(to: &output)
        return decide(.finished(unclean: error != nil))
    }

    private var hasAllChoices: Bool {
        finishedChoices.nonzeroBitCount >= options.choices
    }

    private func decide(_ verdict: Verdict) -> Verdict {
        self.verdict = verdict
        return verdict
    }

    // MARK: Events

    private func handle(_ event: ServerSentEventView, into output: inout [UInt8]) throws {
        hasBegun = true
        if ChatStreamTransform.isDone(event.data) {
            guard held.isEmpty else { return try fail(.invalidEvent) }
            ChatStreamTransform.appendDone(to: &output)
            verdict = .finished(unclean: false)
            throw Decided()
        }
        let name = Name(event)
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
            try relay(event.data, name, into: &output)
        }
    }

    /// What the name of an event says about its data.
    private enum Name {
        case chunk, error, foreign

        init(_ event: ServerSentEventView) {
            if event.name.isEmpty || event.isNamed("message") {
                self = .chunk
            } else {
                self = event.isNamed("error") ? .error : .foreign
            }
        }
    }

    /// Takes a document that came on several lines, or in several events.
    private func join(_ data: UnsafeRawBufferPointer, _ name: Name, into output: inout [UInt8]) throws {
        guard data.count <= ChatStreamTransform.maximumHeldBytes - held.count else { return try fail(.oversizeEvent) }
        held.append(contentsOf: data)
        JSONCompaction.joinLines(&held)
        let document = held
        held = []
        try document.withUnsafeBytes { try relay($0, name, into: &output) }
    }

    private func relay(_ document: UnsafeRawBufferPointer, _ name: Name, into output: inout [UInt8]) throws {
        let event: ChatEvent
        do throws(JSONError) {
            event = try ChatEvent(document)
        } catch {
            if name == .error { return try fail(options.errors.unexplained(200)) }
            switch error.kind {
            case .endOfInput: return try hold(document)
            case .invalidUTF8:
                // Repaired once; the repaired text is valid, so this cannot come round again.
                let repaired = Array(String(decoding: document, as: UTF8.self).utf8)
                return try repaired.withUnsafeBytes { try relay($0, name, into: &output) }
            default: return try fail(.invalidEvent)
            }
        }
        heldEvents = 0
        if event.hasError || name == .error {
            return try fail(options.errors.read(document, status: 200) ?? options.errors.unexplained(200))
        }
        // A foreign event would reach the application as a chunk without choices.
        if name == .foreign, !event.hasChoices { return }
        note(event, document)
        if event.hasUsage, event.choiceCount == 0, !options.keepsUsage { return }
        append(event, document, to: &output)
    }

    private func note(_ event: ChatEvent, _ document: UnsafeRawBufferPointer) {
        events += 1
        finishedChoices |= event.finishedChoices
        if event.hasContent { madeProgress = true }
        if let prompt = event.promptTokens { promptTokens = prompt }
        if let completion = event.completionTokens { completionTokens = completion }
        if event.finishReason != nil, finishReason == nil { finishReason = event.finishReasonText(in: document) }
    }

    private func append(_ event: ChatEvent, _ document: UnsafeRawBufferPointer, to output: inout [UInt8]) {
        guard let modelLiteral, let written = event.modelLiteral else {
            return ServerSentEventEncoder.append(data: document, to: &output)
        }
        ServerSentEventEncoder.appendLine(to: &output) { output in
            modelLiteral.withUnsafeBytes { JSONSplice.append(document, replacing: written, with: $0, to: &output) }
        }
    }

    private func hold(_ document: UnsafeRawBufferPointer) throws {
        heldEvents += 1
        guard heldEvents <= ChatStreamTransform.maximumHeldEvents else { return try fail(.invalidEvent) }
        held = Array(document)
    }

    private func fail(_ error: GatewayError) throws {
        verdict = .failed(error)
        throw Decided()
    }

    // MARK: The terminal marker

    private static func isDone(_ data: UnsafeRawBufferPointer) -> Bool {
        data.first == UInt8(ascii: "[") && data.starts(with: "[DONE]".utf8)
    }

    private static func appendDone(to output: inout [UInt8]) {
        output.append(contentsOf: "data: [DONE]\n\n".utf8)
    }
}
