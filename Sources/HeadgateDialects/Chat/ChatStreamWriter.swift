import JSONBytes

/// Writes streams of chat completions: chunks of one choice, its usage if the client asked for it, and `[DONE]`.
struct ChatStreamWriter: StreamWriter {
    private(set) var eventCount = 0

    let context: ResponseContext
    /// Bytes before and after the delta of a chunk without a finish reason.
    private let beforeDelta: [UInt8]
    private let afterDelta: [UInt8]
    private var hasBegun = false
    private var usage: TokenUsage?
    var calls: [Call] = []
    /// Text of the reasoning since the last seal, which is repeated with its seal.
    private var sealable = ""
    /// Number of bytes held back.
    private var held = 0

    struct Call {
        let index: Int
        let kind: ChatCallKind
        /// Arguments so far of a custom tool that the upstream calls as a function; nil for other calls.
        var wrapped: String?
        var hasArguments = false
    }

    /// Maximum number of bytes that one response can hold back.
    static let longestHeld = 4 << 20

    init(_ context: ResponseContext) {
        self.context = context
        beforeDelta = ChatStreamWriter.opening(of: context) + #"[{"index":0,"delta":"#.utf8
        afterDelta = Array(#","finish_reason":null}]"#.utf8) + (context.asksUsage ? #","usage":null"# : "").utf8
    }

    /// Returns the bytes of a chunk up to its choices.
    private static func opening(of context: ResponseContext) -> [UInt8] {
        var bytes = Array("data: {\"id\":".utf8)
        JSONEscaping.append(ChatResponseWriter.id(context), to: &bytes)
        bytes += #","object":"chat.completion.chunk","created":\#(context.created),"model":"#.utf8
        JSONEscaping.append(context.model, to: &bytes)
        return bytes + #","choices":"#.utf8
    }

    mutating func write(_ event: ResponseEvent, to output: inout [UInt8]) throws(ResponseFault) {
        switch event {
        case .started: begin(&output)
        case .text(let text): writeText(text, as: "content", to: &output)
        case .refusal(let text): writeText(text, as: "refusal", to: &output)
        case .reasoning(let text):
            guard !text.isEmpty else { return }
            try hold(text.utf8.count)
            sealable += text
            writeDelta(text, as: "reasoning_content", to: &output)
        case .reasoningSeal(let seal): writeSeal(seal, to: &output)
        case .toolCall(let index, let id, let name, let isCustom):
            try writeCall(index, id, name, isCustom: isCustom, to: &output)
        case .toolArguments(let index, let fragment): try writeArguments(index, fragment, to: &output)
        case .usage(let report):
            var known = usage ?? TokenUsage()
            known.update(with: report)
            usage = known
        case .finished(let end): finish(end, to: &output)
        case .ended: end(&output)
        case .toolMembers, .compaction, .failed: return
        }
    }

    private mutating func begin(_ output: inout [UInt8]) {
        guard !hasBegun else { return }
        hasBegun = true
        chunk(&output) { $0 += #"{"role":"assistant","content":"","refusal":null}"#.utf8 }
    }

    mutating func chunk(_ output: inout [UInt8], _ delta: (inout [UInt8]) -> Void) {
        begin(&output)
        output += beforeDelta
        delta(&output)
        output += afterDelta
        close(&output)
    }

    private mutating func close(_ output: inout [UInt8]) {
        output += "}\n\n".utf8
        eventCount += 1
    }

    /// Writes content other than reasoning. Earlier reasoning can no longer get a seal.
    private mutating func writeText(_ text: String, as member: StaticString, to output: inout [UInt8]) {
        guard !text.isEmpty else { return }
        forgetReasoning()
        writeDelta(text, as: member, to: &output)
    }

    private mutating func writeDelta(_ text: String, as member: StaticString, to output: inout [UInt8]) {
        chunk(&output) { output in
            output += "{\"".utf8
            member.withUTF8Buffer { output += $0 }
            output += "\":".utf8
            JSONEscaping.append(text, to: &output)
            output += "}".utf8
        }
    }

    private mutating func writeSeal(_ seal: ReasoningSeal, to output: inout [UInt8]) {
        let block = ChatReasoning.block(sealable, seal)
        forgetReasoning()
        chunk(&output) { output in
            output += #"{"thinking_blocks":["#.utf8
            block.append(to: &output)
            output += "]}".utf8
        }
    }

    mutating func forgetReasoning() {
        guard !sealable.isEmpty else { return }
        held -= sealable.utf8.count
        sealable = ""
    }

    mutating func hold(_ count: Int) throws(ResponseFault) {
        held += count
        guard held <= ChatStreamWriter.longestHeld else { throw .oversize }
    }
}

// MARK: End
extension ChatStreamWriter {
    private mutating func finish(_ end: ResponseEnd, to output: inout [UInt8]) {
        begin(&output)
        finishCalls(&output)
        output += beforeDelta
        output += #"{},"finish_reason":"\#(ChatFinish.reason(end, context))"}]"#.utf8
        if context.asksUsage { output += #","usage":null"#.utf8 }
        close(&output)
    }

    private mutating func end(_ output: inout [UInt8]) {
        begin(&output)
        finishCalls(&output)
        if context.asksUsage, let usage {
            output += ChatStreamWriter.opening(of: context)
            output += #"[],"usage":"#.utf8
            ChatUsage.document(usage).append(to: &output)
            close(&output)
        }
        output += "data: [DONE]\n\n".utf8
    }
}
