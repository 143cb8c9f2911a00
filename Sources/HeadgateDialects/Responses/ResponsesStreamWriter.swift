import JSONBytes

/// Writes the stream of a response: items with ids, whose ends repeat the content that arrived in pieces.
///
/// A message or reasoning ends when another kind of item begins. Tool calls stay open until the response's end, because
/// their fragments can alternate.
struct ResponsesStreamWriter: StreamWriter {
    /// Maximum held bytes of a response, whose end repeats all its content.
    private static let mostHeld = 8 << 20
    /// Bytes that an item without content counts toward the limit.
    private static let itemWeight = 256

    let context: ResponseContext
    let names: ResponsesNamespaces
    var events = ResponsesEventOutput()
    var message: ResponsesOpenMessage?
    var reasoning: ResponsesOpenReasoning?
    /// Open calls, by the index in the upstream's events.
    var calls: [Int: ResponsesOpenCall] = [:]
    /// Items of the whole response; an item is empty while it is open.
    var items: [[UInt8]] = []

    private let envelope: ResponsesEnvelope
    private let mostHeld: Int
    private var held = 0
    private var status = ResponsesStatus.inProgress
    private var usage: TokenUsage?
    private var hasBegun = false
    private var hasEnded = false

    init(_ context: ResponseContext) { self.init(context, mostHeld: Self.mostHeld) }

    init(_ context: ResponseContext, mostHeld: Int) {
        envelope = ResponsesEnvelope(context)
        names = ResponsesNamespaces(of: context.echo["tools"]?.array ?? [])
        self.mostHeld = mostHeld
        var context = context
        // The envelope has the echo.
        context.echo = JSONObject()
        self.context = context
    }

    var eventCount: Int { events.count }

    mutating func write(_ event: ResponseEvent, to output: inout [UInt8]) throws(ResponseFault) {
        guard !hasEnded, event != .failed else { return }
        if !hasBegun { begin(&output) }
        if event.isContent { resume(event) }
        switch event {
        case .started, .toolMembers, .failed: break
        case .text(let text): try write(text, as: .text, to: &output)
        case .refusal(let text): try write(text, as: .refusal, to: &output)
        case .reasoning(let text): try writeReasoning(text, to: &output)
        case .reasoningSeal(let seal): try writeSeal(seal, to: &output)
        case .toolCall(let index, let id, let name, let isCustom):
            try beginCall(index, id, name, isCustom: isCustom, to: &output)
        case .toolArguments(let index, let piece): try writeArguments(piece, of: index, to: &output)
        case .compaction(let summary): try writeCompaction(summary, to: &output)
        case .usage(let report):
            var known = usage ?? TokenUsage()
            known.update(with: report)
            usage = known
        case .finished(let end): finish(ResponsesStatus(end), &output)
        case .ended:
            finish(status == .inProgress ? .completed : status, &output)
            end(&output)
        }
    }

    /// Reopens a response that ended, because more content belongs to another choice.
    private mutating func resume(_ event: ResponseEvent) {
        if case .finished = event { return }
        status = .inProgress
    }

    /// Appends the response in its current state.
    func appendResponse(to output: inout [UInt8]) { envelope.append(status, items, usage, to: &output) }

    private mutating func begin(_ output: inout [UInt8]) {
        hasBegun = true
        for type in ["response.created", "response.in_progress"] { writeResponse(type, &output) }
    }

    private mutating func finish(_ status: ResponsesStatus, _ output: inout [UInt8]) {
        let wasOpen = self.status == .inProgress
        self.status = status
        guard wasOpen else { return }
        // The item that was cut is the last one that arrived.
        let isInCall = message == nil && reasoning == nil
        closeMessage(status, &output)
        closeReasoning(&output)
        closeCalls(isInCall ? status : .completed, &output)
    }

    private mutating func end(_ output: inout [UInt8]) {
        hasEnded = true
        writeResponse("response.\(status.word)", &output)
        output.write("data: [DONE]\n\n")
    }

    private mutating func writeResponse(_ type: String, _ output: inout [UInt8]) {
        events.begin(type, to: &output)
        output.write(#","response":"#)
        appendResponse(to: &output)
        events.end(&output)
    }

    /// Returns the index of a new item.
    mutating func nextItem() throws(ResponseFault) -> Int {
        try hold(Self.itemWeight)
        items.append([])
        return items.count - 1
    }

    private mutating func writeCompaction(_ summary: String, to output: inout [UInt8]) throws(ResponseFault) {
        let seal = Compaction.seal(summary)
        try hold(seal.utf8.count)
        let index = try nextItem()
        var item = ResponsesItemBytes(
            index: index, id: "cmp_\(context.id)_\(index)", type: "compaction", hasStatus: false,
            body: ("encrypted_content", "\"\""))
        writeAdded(item, to: &output)
        item.content = JSONEscaping.literal(seal)
        writeDone(item, .completed, to: &output)
    }

    /// Writes an item that begins, without content.
    mutating func writeAdded(_ item: ResponsesItemBytes, to output: inout [UInt8]) {
        events.begin("response.output_item.added", to: &output)
        output.write(#","output_index":"#)
        output.write(item.index)
        output.write(#","item":"#)
        item.append(.inProgress, to: &output)
        events.end(&output)
    }

    /// Writes a complete item, and stores it.
    mutating func writeDone(_ item: ResponsesItemBytes, _ status: ResponsesStatus, to output: inout [UInt8]) {
        events.begin("response.output_item.done", to: &output)
        output.write(#","output_index":"#)
        output.write(item.index)
        output.write(#","item":"#)
        let start = output.count
        item.append(status, to: &output)
        items[item.index] = Array(output[start...])
        events.end(&output)
    }

    mutating func hold(_ octets: Int) throws(ResponseFault) {
        held += octets
        guard held <= mostHeld else { throw .oversize }
    }
}
