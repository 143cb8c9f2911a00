/// Writes Ollama streams: a JSON object on each line. Only the last one is `done`.
///
/// Calls are written whole, once all their arguments are known.
struct OllamaStreamWriter<Form: OllamaForm>: StreamWriter {
    private(set) var eventCount = 0

    private let context: ResponseContext
    private var calls: [(index: Int, call: ToolCall)] = []
    private var end = ResponseEnd.stop
    private var usage = TokenUsage()
    private var firstContentAt: Int64?
    /// Number of bytes held back.
    private var held = 0

    init(_ context: ResponseContext) { self.context = context }

    mutating func write(_ event: ResponseEvent, to output: inout [UInt8]) throws(ResponseFault) {
        switch event {
        case .started, .reasoningSeal, .toolMembers, .compaction, .failed: return
        case .text(let text), .refusal(let text): writePiece(text: text, to: &output)
        case .reasoning(let text): writePiece(thinking: text, to: &output)
        case .toolCall(let index, let id, let name, let isCustom):
            noteContent()
            try hold(id.utf8.count + name.utf8.count + OllamaHeld.weight)
            calls.append((index, ToolCall(id: id, name: name, arguments: "", isCustom: isCustom)))
        case .toolArguments(let index, let fragment):
            guard let place = calls.lastIndex(where: { $0.index == index }) else { return }
            try hold(fragment.utf8.count)
            calls[place].call.arguments += fragment
        case .usage(let report): usage.update(with: report)
        case .finished(let end): self.end = end
        case .ended: writeEnd(to: &output)
        }
    }

    private mutating func writePiece(text: String = "", thinking: String = "", to output: inout [UInt8]) {
        guard !text.isEmpty || !thinking.isEmpty else { return }
        noteContent()
        writeLine(&output) { Form.append(text: text, thinking: thinking, calls: [], to: &$0) }
    }

    private mutating func writeEnd(to output: inout [UInt8]) {
        let documents = calls.enumerated().map { OllamaCall.document($1.call, index: $0, context) }
        if !documents.isEmpty {
            writeLine(&output) { Form.append(text: "", thinking: "", calls: documents, to: &$0) }
        }
        let last = OllamaEnd(end: end, usage: usage, firstContentAt: firstContentAt)
        var object = OllamaHead.object(context)
        Form.append(text: "", thinking: "", calls: [], to: &object)
        last.append(to: &object, context.clock)
        append(object, to: &output)
    }

    private mutating func writeLine(_ output: inout [UInt8], _ content: (inout JSONObject) -> Void) {
        var object = OllamaHead.object(context)
        content(&object)
        object.append("done", false)
        append(object, to: &output)
    }

    private mutating func append(_ object: JSONObject, to output: inout [UInt8]) {
        object.append(to: &output)
        output.append(UInt8(ascii: "\n"))
        eventCount += 1
    }

    private mutating func noteContent() {
        if firstContentAt == nil { firstContentAt = context.clock.now() }
    }

    private mutating func hold(_ count: Int) throws(ResponseFault) {
        held += count
        guard held <= OllamaHeld.longest else { throw .oversize }
    }
}

private enum OllamaHeld {
    /// Maximum bytes of calls that one response can hold back.
    static let longest = 4 << 20
    /// Bytes that a call counts toward the limit in addition to its texts.
    static let weight = 128
}
