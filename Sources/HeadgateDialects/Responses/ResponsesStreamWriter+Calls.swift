import JSONBytes

/// An open tool call of a stream.
struct ResponsesOpenCall {
    var item: ResponsesItemBytes
    let isCustom: Bool
    /// Arguments so far of a tool with free-text input that the upstream calls as a function; nil for other calls.
    var wrapped: [UInt8]?
    var text = ResponsesText()
    let location: [UInt8]
}

extension ResponsesStreamWriter {
    mutating func beginCall(
        _ index: Int, _ id: String, _ name: String, isCustom: Bool, to output: inout [UInt8]
    ) throws(ResponseFault) {
        guard calls[index] == nil else { return }
        closeReasoning(&output)
        closeMessage(.completed, &output)
        let flatName = context.toolName(name)
        let isText = isCustom || context.customTools.contains(flatName)
        let place = try nextItem()
        try hold(id.utf8.count + flatName.utf8.count)
        let item = ResponsesItemBytes(
            index: place, id: "\(isText ? "ctc" : "fc")_\(context.id)_\(place)",
            type: isText ? "custom_tool_call" : "function_call", hasStatus: true,
            head: head(id.isEmpty ? "call_\(context.id)_\(place)" : id, names.name(flatName)),
            body: (isText ? ResponsesItem.freeText : "arguments", #""""#))
        writeAdded(item, to: &output)
        calls[index] = ResponsesOpenCall(
            item: item, isCustom: isText, wrapped: isText && !isCustom ? [] : nil, location: item.location)
    }

    private func head(_ id: String, _ name: ResponsesNamespaces.Name) -> [UInt8] {
        var head = Array(#","call_id":"#.utf8)
        JSONEscaping.append(id, to: &head)
        head.write(#","name":"#)
        JSONEscaping.append(name.name, to: &head)
        if let namespace = name.namespace {
            head.write(#","namespace":"#)
            JSONEscaping.append(namespace, to: &head)
        }
        return head
    }

    mutating func writeArguments(_ piece: String, of index: Int, to output: inout [UInt8]) throws(ResponseFault) {
        guard !piece.isEmpty, let isWrapped = calls[index].map({ $0.wrapped != nil }) else { return }
        try hold(piece.utf8.count)
        if isWrapped {
            calls[index]?.wrapped?.append(contentsOf: piece.utf8)
        } else {
            writeDelta(piece, of: index, &output)
        }
    }

    private mutating func writeDelta(_ piece: String, of index: Int, _ output: inout [UInt8]) {
        let isCustom = calls[index]?.isCustom == true
        let type = isCustom ? "response.custom_tool_call_input.delta" : "response.function_call_arguments.delta"
        events.begin(type, to: &output)
        output.append(contentsOf: calls[index]?.location ?? [])
        output.write(#","delta":"#)
        calls[index]?.text.append(piece, to: &output)
        events.end(&output)
    }

    mutating func closeCalls(_ status: ResponsesStatus, _ output: inout [UInt8]) {
        let open = calls.sorted { $0.value.item.index < $1.value.item.index }
        for (index, call) in open {
            // All calls but the last one are complete.
            let status = index == open.last?.key ? status : .completed
            if let wrapped = call.wrapped {
                let text = ResponsesStreamWriter.freeText(in: wrapped)
                if !text.isEmpty { writeDelta(text, of: index, &output) }
            } else if !call.isCustom, call.text.escaped.isEmpty, status == .completed {
                writeDelta(ToolCall.noArguments, of: index, &output)
            }
            closeCall(index, status, &output)
        }
    }

    private mutating func closeCall(_ index: Int, _ status: ResponsesStatus, _ output: inout [UInt8]) {
        guard var closed = calls.removeValue(forKey: index) else { return }
        let isCustom = closed.isCustom
        events.begin(
            isCustom ? "response.custom_tool_call_input.done" : "response.function_call_arguments.done", to: &output)
        output.append(contentsOf: closed.location)
        output.write(isCustom ? #","input":"# : #","arguments":"#)
        closed.text.appendWhole(to: &output)
        events.end(&output)
        var content: [UInt8] = []
        closed.text.appendWhole(to: &content)
        closed.item.content = content
        writeDone(closed.item, status, to: &output)
    }

    /// Returns the text in a function's arguments, or the arguments themselves if they have another form.
    static func freeText(in arguments: [UInt8]) -> String {
        if let text = (try? JSONValue(arguments))?[ResponsesItem.freeText]?.string { return text }
        return String(decoding: arguments, as: UTF8.self)
    }
}
