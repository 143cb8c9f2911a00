internal import HeadgateHTTP

/// Turns an upstream's bytes into a clean event stream: every event parsed, checked, and rewritten on one line.
///
/// Bytes in, bytes and a verdict out; the outcome does not depend on where the input is cut. The relay uses all
/// dialects alike. A dialect defines the result of each event; its hooks have no defaults, so that every dialect
/// implements each of them.
protocol StreamTransform: StreamAccount {
    typealias Verdict = EventAssembler.Verdict

    // MARK: Interface for the relay

    /// Takes bytes of the upstream's body and appends the output for downstream, whole events only.
    func receive(_ chunk: UnsafeRawBufferPointer, into output: inout [UInt8]) -> Verdict
    /// Takes the end of the upstream's body, clean or with an error.
    func end(_ error: (any Error)?, into output: inout [UInt8]) -> Verdict

    /// Whether an event or a comment has arrived, which shows that the body is a stream.
    var hasBegun: Bool { get }
    /// Whether an event has been relayed.
    var hasEvents: Bool { get }
    /// Whether the last bytes, or the end, had content.
    var madeProgress: Bool { get }
    /// Whether the last bytes had no content, but continued an incomplete event of the stream.
    var isInsideEvent: Bool { get }

    // MARK: Hooks of a dialect

    /// Assembler that calls the hooks, which must not use it.
    var assembler: EventAssembler { get set }
    var counts: StreamCounts { get set }
    /// Parts of the usage with separate prices. Not part of ``counts``, which are copied with each chunk.
    var usageDetails: UsageDetails { get set }
    /// Whether the dialect's events have names. If not, an event with a name might not contain JSON.
    var namesEvents: Bool { get }

    /// Takes one event's document, valid UTF-8 or not, and appends the output for downstream.
    ///
    /// - Throws: ``JSONError`` if it is not a JSON object; ``EventAssembler/Decided`` to end the stream.
    func relay(_ document: UnsafeRawBufferPointer, _ name: EventName, into output: inout [UInt8]) throws

    /// Takes the whole events at the start of `chunk` that need no parsing, and appends the output for downstream.
    ///
    /// - Returns: the number of their bytes.
    func relayKnown(_ chunk: UnsafeRawBufferPointer, into output: inout [UInt8]) -> Int

    /// Handles `[DONE]`.
    ///
    /// - Throws: ``EventAssembler/Decided``, because nothing follows `[DONE]`.
    func receiveDone(into output: inout [UInt8]) throws

    /// Appends the end of a complete stream whose own end never arrived.
    ///
    /// - Returns: false if the stream is incomplete; nothing is appended in that case.
    func appendEnd(to output: inout [UInt8]) -> Bool
}

/// Account of a stream that the record of its request reads.
package protocol StreamAccount: AnyObject {
    /// Known facts of the response, for the error event that might end it.
    var brokenResponse: BrokenResponse { get }
    /// Writes the counts into the facts.
    func note(in facts: inout Outcome)
}

/// Counts of a stream so far.
struct StreamCounts {
    var events = 0
    var promptTokens: Int?
    var completionTokens: Int?
    var finishReason: String?
    /// Bytes of text, reasoning and tool calls that the model has written, in their JSON spelling.
    var textBytes = 0
    /// Whether ``promptTokens`` excludes the tokens of the cache.
    var countsCacheApart = false
    /// Whether the last bytes, or the end, had content.
    var madeProgress = false
}

/// Compiled separately for each dialect, so that an event costs no dynamic call.
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
        facts.promptTokens = usageDetails.prompt(counts.promptTokens, apart: counts.countsCacheApart)
        facts.completionTokens = counts.completionTokens
        facts.finishReason = counts.finishReason
        if !usageDetails.isEmpty { facts.notes.usage = usageDetails }
    }
}
