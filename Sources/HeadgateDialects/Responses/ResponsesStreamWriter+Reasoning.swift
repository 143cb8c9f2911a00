import JSONBytes

/// The open reasoning of a stream.
struct ResponsesOpenReasoning {
    var item: ResponsesItemBytes
    /// Text of the summary; nil until its first piece, which begins the summary's part.
    var text: ResponsesText?
    /// Members by which events identify their part.
    let location: [UInt8]

    func appendPart(to output: inout [UInt8]) {
        output.write(#"{"type":"summary_text","text":"#)
        (text ?? ResponsesText()).appendWhole(to: &output)
        output.write("}")
    }
}

extension ResponsesStreamWriter {
    mutating func writeReasoning(_ piece: String, to output: inout [UInt8]) throws(ResponseFault) {
        guard !piece.isEmpty else { return }
        try openReasoning(&output)
        try hold(piece.utf8.count)
        if reasoning?.text == nil {
            writePart("response.reasoning_summary_part.added", &output)
            reasoning?.text = ResponsesText()
        }
        events.begin("response.reasoning_summary_text.delta", to: &output)
        output.append(contentsOf: reasoning?.location ?? [])
        output.write(#","delta":"#)
        reasoning?.text?.append(piece, to: &output)
        events.end(&output)
    }

    mutating func writeSeal(_ seal: ReasoningSeal, to output: inout [UInt8]) throws(ResponseFault) {
        try openReasoning(&output)
        let written = seal.written(for: .responses)
        try hold(written.utf8.count)
        reasoning?.item.tail = ResponsesStreamWriter.sealMember(written)
        closeReasoning(&output)
    }

    private static func sealMember(_ seal: String) -> [UInt8] {
        var member = Array(#","encrypted_content":"#.utf8)
        JSONEscaping.append(seal, to: &member)
        return member
    }

    private mutating func openReasoning(_ output: inout [UInt8]) throws(ResponseFault) {
        guard reasoning == nil else { return }
        closeMessage(.completed, &output)
        let index = try nextItem()
        let item = ResponsesItemBytes(
            index: index, id: "rs_\(context.id)_\(index)", type: "reasoning", hasStatus: false, body: ("summary", "[]"))
        writeAdded(item, to: &output)
        let location = item.location + Array(#","summary_index":0"#.utf8)
        reasoning = ResponsesOpenReasoning(item: item, location: location)
    }

    mutating func closeReasoning(_ output: inout [UInt8]) {
        guard reasoning != nil else { return }
        if let text = reasoning?.text {
            events.begin("response.reasoning_summary_text.done", to: &output)
            output.append(contentsOf: reasoning?.location ?? [])
            output.write(#","text":"#)
            text.appendWhole(to: &output)
            events.end(&output)
            writePart("response.reasoning_summary_part.done", &output)
        }
        guard var closed = reasoning.take() else { return }
        if closed.item.tail.isEmpty { closed.item.tail = ResponsesStreamWriter.sealMember(ReasoningSeal.missing) }
        if closed.text != nil {
            var content = Array("[".utf8)
            closed.appendPart(to: &content)
            content.write("]")
            closed.item.content = content
        }
        writeDone(closed.item, .completed, to: &output)
    }

    private mutating func writePart(_ type: String, _ output: inout [UInt8]) {
        events.begin(type, to: &output)
        output.append(contentsOf: reasoning?.location ?? [])
        output.write(#","part":"#)
        reasoning?.appendPart(to: &output)
        events.end(&output)
    }
}
