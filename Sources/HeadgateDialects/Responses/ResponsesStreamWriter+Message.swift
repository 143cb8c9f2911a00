/// The open message of a stream.
struct ResponsesOpenMessage {
    enum Kind {
        case text, refusal
    }

    var item: ResponsesItemBytes
    /// Complete parts, separated by commas.
    var parts: [UInt8] = []
    var partCount = 0
    var kind: Kind?
    var text = ResponsesText()
    /// Members by which events identify their part.
    var location: [UInt8] = []

    /// Appends the open part as it appears in the item.
    func appendPart(_ kind: Kind, to output: inout [UInt8]) {
        output.write(kind == .text ? #"{"type":"output_text","text":"# : #"{"type":"refusal","refusal":"#)
        text.appendWhole(to: &output)
        output.write(kind == .text ? #","annotations":[],"logprobs":[]}"# : "}")
    }
}

extension ResponsesStreamWriter {
    mutating func write(
        _ piece: String, as kind: ResponsesOpenMessage.Kind, to output: inout [UInt8]
    ) throws(ResponseFault) {
        guard !piece.isEmpty else { return }
        if message?.kind != kind { try open(kind, &output) }
        try hold(piece.utf8.count)
        events.begin(kind == .text ? "response.output_text.delta" : "response.refusal.delta", to: &output)
        output.append(contentsOf: message?.location ?? [])
        output.write(#","delta":"#)
        message?.text.append(piece, to: &output)
        if kind == .text { output.write(#","logprobs":[]"#) }
        events.end(&output)
    }

    private mutating func open(_ kind: ResponsesOpenMessage.Kind, _ output: inout [UInt8]) throws(ResponseFault) {
        closeReasoning(&output)
        closePart(&output)
        if message == nil {
            let index = try nextItem()
            let item = ResponsesItemBytes(
                index: index, id: "msg_\(context.id)_\(index)", type: "message", hasStatus: true,
                head: Array(#","role":"assistant""#.utf8), body: ("content", "[]"))
            writeAdded(item, to: &output)
            message = ResponsesOpenMessage(item: item)
        }
        guard var opened = message.take() else { return }
        opened.kind = kind
        opened.location = opened.item.location
        opened.location.write(#","content_index":"#)
        opened.location.write(opened.partCount)
        events.begin("response.content_part.added", to: &output)
        writePart(of: opened, kind, &output)
        message = opened
    }

    private mutating func closePart(_ output: inout [UInt8]) {
        guard var closed = message.take() else { return }
        defer { message = closed }
        guard let kind = closed.kind else { return }
        events.begin(kind == .text ? "response.output_text.done" : "response.refusal.done", to: &output)
        output.append(contentsOf: closed.location)
        output.write(kind == .text ? #","text":"# : #","refusal":"#)
        closed.text.appendWhole(to: &output)
        if kind == .text { output.write(#","logprobs":[]"#) }
        events.end(&output)
        events.begin("response.content_part.done", to: &output)
        writePart(of: closed, kind, &output)

        if closed.partCount > 0 { closed.parts.write(",") }
        closed.appendPart(kind, to: &closed.parts)
        closed.partCount += 1
        closed.kind = nil
        closed.text = ResponsesText()
    }

    /// Writes the rest of an event that contains the part.
    private mutating func writePart(
        of message: ResponsesOpenMessage, _ kind: ResponsesOpenMessage.Kind, _ output: inout [UInt8]
    ) {
        output.append(contentsOf: message.location)
        output.write(#","part":"#)
        message.appendPart(kind, to: &output)
        events.end(&output)
    }

    mutating func closeMessage(_ status: ResponsesStatus, _ output: inout [UInt8]) {
        closePart(&output)
        guard var closed = message.take() else { return }
        closed.item.content = Array("[".utf8) + closed.parts + Array("]".utf8)
        writeDone(closed.item, status, to: &output)
    }
}
