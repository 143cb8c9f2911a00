internal import HeadgateHTTP

/// Turns an upstream's bytes into a clean event stream: every event parsed, checked, and written anew on one line.
///
/// Bytes in, bytes and a verdict out; the outcome does not depend on where the input is cut. What the relay asks is the
/// same for all. A dialect defines the result of each event; its hooks have no defaults, so that every dialect answers
/// each of them.
protocol StreamTransform: StreamAccount {
    typealias Verdict = EventAssembler.Verdict

    // MARK: What the relay asks

    /// Takes bytes of the upstream's body and appends what goes downstream, whole events only.
    func receive(_ chunk: UnsafeRawBufferPointer, into output: inout [UInt8]) -> Verdict
    /// The upstream's body has ended, cleanly or with an error.
    func end(_ error: (any Error)?, into output: inout [UInt8]) -> Verdict

    /// Whether an event or a comment has come, so that this is a stream.
    var hasBegun: Bool { get }
    /// Whether an event has been relayed.
    var hasEvents: Bool { get }
    /// Whether the last bytes, or the end, brought content.
    var madeProgress: Bool { get }
    /// Whether the last bytes, if they brought no content, went on with an event of the stream that is not complete.
    var isInsideEvent: Bool { get }

    // MARK: What a dialect says

    var assembler: EventAssembler { get set }
    var counts: StreamCounts { get set }
    /// Whether its own events have names: where they have none, one with a name may hold what is no JSON.
    var namesEvents: Bool { get }

    /// Takes one event's document, valid UTF-8 or not, and appends what goes downstream.
    ///
    /// - Throws: ``JSONError`` for what is no JSON object; ``EventAssembler/Decided`` to end the stream.
    func relay(_ document: UnsafeRawBufferPointer, _ name: EventName, into output: inout [UInt8]) throws

    /// Takes those whole events at the start of `chunk` that need no reading, and appends what goes downstream.
    ///
    /// - Returns: how many bytes they are.
    func relayKnown(_ chunk: UnsafeRawBufferPointer, into output: inout [UInt8]) -> Int

    /// `[DONE]` has come.
    ///
    /// - Throws: ``EventAssembler/Decided``: nothing comes after it.
    func receiveDone(into output: inout [UInt8]) throws

    /// Appends what ends a complete stream whose own end never came.
    ///
    /// - Returns: false, and nothing appended, if more was to come.
    func appendEnd(to output: inout [UInt8]) -> Bool
}

/// What the record of a request asks its stream for.
protocol StreamAccount: AnyObject {
    /// What is known of the response, for the error event that may end it.
    var brokenResponse: BrokenResponse { get }
    /// Writes what has been counted into the facts.
    func note(in facts: inout Outcome)
}

/// What has been seen of a stream so far.
struct StreamCounts {
    var events = 0
    var promptTokens: Int?
    var completionTokens: Int?
    var cache = CacheTokens()
    var finishReason: String?
    /// Bytes of text, reasoning and tool calls that the model has written, in their JSON spelling.
    var textBytes = 0
    /// Whether ``promptTokens`` leaves out those of ``cache``.
    var countsCacheApart = false
    /// Whether the last bytes, or the end, brought content.
    var madeProgress = false

    /// All tokens of the prompt.
    var wholePrompt: Int? { cache.prompt(promptTokens, apart: countsCacheApart) }

    /// What a later event says replaces what is known.
    mutating func noteCache(_ later: CacheTokens, apart: Bool) {
        if let read = later.read { cache.read = read }
        if let written = later.written { cache.written = written }
        if apart { countsCacheApart = true }
    }
}

/// Each of these is compiled for the one dialect that it is for: an event costs no dynamic call.
extension StreamTransform {
    func receive(_ chunk: UnsafeRawBufferPointer, into output: inout [UInt8]) -> Verdict {
        assembler.receive(chunk, for: self, into: &output)
    }

    func end(_ error: (any Error)?, into output: inout [UInt8]) -> Verdict {
        assembler.end(error, for: self, into: &output)
    }

    var hasBegun: Bool { assembler.hasBegun }
    var hasEvents: Bool { counts.events > 0 }
    var madeProgress: Bool { counts.madeProgress }
    var isInsideEvent: Bool { assembler.isInsideEvent }

    func note(in facts: inout Outcome) {
        facts.events = counts.events
        facts.writtenBytes = counts.textBytes
        facts.promptTokens = counts.wholePrompt
        facts.completionTokens = counts.completionTokens
        facts.finishReason = counts.finishReason
        if counts.cache != CacheTokens() { facts.notes.cache = counts.cache }
    }
}
