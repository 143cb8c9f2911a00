internal import HeadgatePrimitives

/// Compaction of a conversation by a summary, for models whose upstream cannot compact.
///
/// The model itself writes the summary on request. Clients send it back in later requests, and the gateway turns it
/// into a text of the user.
package enum Compaction {
    /// Maximum number of tokens of a summary.
    static let maximumTokens = 4096
    /// Maximum bytes of a summary.
    static let longest = 1 << 20

    static let instructions = """
        Summarize the conversation above so that a reader who has not seen it can continue it. Keep what the user \
        wants, decisions and their reasons, results, names, paths and code that are still needed, and what remains to \
        be done. Call no tools, answer nothing, and write only the summary.
        """

    /// Prefix of the text that clients store in the place of a provider's encrypted content.
    static let mark = "\(ReasoningSeal.mark)compaction:"
    private static let introduction = "Summary of the conversation so far:\n\n"

    static func seal(_ summary: String) -> String { mark + Base64.encode(summary.utf8) }

    /// Returns the text that replaces a compaction in a request; nil if the gateway did not create it.
    ///
    /// - Parameters:
    ///   - seal: The encrypted content of the compaction.
    ///   - content: The summary, in formats that show it next to the encrypted content.
    static func text(sealedIn seal: JSONValue?, content: JSONValue? = nil) -> String? {
        guard let seal = seal?.string, seal.hasPrefix(mark) else { return nil }
        if let content = content?.string, !content.isEmpty { return introduction + content }
        guard let bytes = Base64.decode(String(seal.dropFirst(mark.count))), !bytes.isEmpty,
            let summary = String(validating: bytes, as: UTF8.self)
        else { return nil }
        return introduction + summary
    }

    /// Returns the length of the summary in a compaction's encrypted content, rounded up to 3 bytes; 0 if the gateway
    /// did not create it.
    package static func summaryBytes(sealedIn seal: UnsafeRawBufferPointer) -> Int {
        seal.starts(with: mark.utf8) ? (seal.count - mark.utf8.count) / 4 * 3 : 0
    }

    /// Returns whether a response with this end is a complete summary.
    static func isWhole(_ end: ResponseEnd) -> Bool { end != .refused && end != .length }

    // MARK: Requests

    /// Returns whether a request asks for a compaction. Most requests are not parsed for this.
    ///
    /// - Parameter body: The request, as JSON.
    package static func isRequested(by body: [UInt8], in format: ClientFormat) -> Bool {
        let word: ByteSearch
        switch format {
        case .responses: word = trigger
        case .messages: word = member
        case .chat, .ollamaChat, .ollamaGenerate: return false
        }
        guard body.withUnsafeBytes({ word.isFound(in: $0) }), let request = (try? JSONValue(body))?.object else {
            return false
        }
        if format == .messages { return request.present("compaction") != nil }
        return request["input"]?.array?.last?["type"] == "compaction_trigger"
    }

    private static let trigger = ByteSearch("\"compaction_trigger\"")
    private static let member = ByteSearch("\"compaction\"")
}

extension ModelRequest {
    /// Turns the request into a request for a summary of its conversation.
    mutating func becomeSummary() {
        let instructions = compaction?.instructions ?? Compaction.instructions
        messages.append(Message(.user, [Part(.text(instructions))]))
        // Upstreams need the tools of earlier calls.
        toolChoice = tools.isEmpty ? nil : ToolChoice.none
        allowsParallelCalls = nil
        maximumTokens = min(maximumTokens ?? Compaction.maximumTokens, Compaction.maximumTokens)
        stopSequences = []
        reasoning = nil
        format = nil
    }
}

extension ModelResponse {
    /// Reduces the response to the text of its summary.
    mutating func becomeSummary() throws(ResponseFault) {
        var summary = ""
        for case .text(let text) in contents { summary += text }
        guard !summary.isEmpty, Compaction.isWhole(end) else { throw .noSummary }
        contents = [.text(summary)]
        end = .stop
    }
}

/// Writes the stream of a summary as one item, once the summary is complete.
struct CompactionStreamWriter<Writer: StreamWriter>: StreamWriter {
    private(set) var writer: Writer
    private var summary = ""

    init(_ context: ResponseContext) { writer = Writer(context) }

    var eventCount: Int { writer.eventCount }

    mutating func write(_ event: ResponseEvent, to output: inout [UInt8]) throws(ResponseFault) {
        switch event {
        case .text(let text):
            guard summary.utf8.count + text.utf8.count <= Compaction.longest else { throw .oversize }
            summary += text
        case .finished(let end):
            guard !summary.isEmpty, Compaction.isWhole(end) else { throw .noSummary }
            try writer.write(.compaction(summary), to: &output)
            try writer.write(.finished(.stop), to: &output)
        case .refusal, .reasoning, .reasoningSeal, .toolCall, .toolArguments, .toolMembers, .compaction: break
        case .started, .usage, .ended, .failed: try writer.write(event, to: &output)
        }
    }
}
