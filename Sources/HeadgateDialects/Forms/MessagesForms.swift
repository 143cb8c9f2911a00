/// Anthropic's messages in both forms.
enum MessagesForms {
    // MARK: From a whole response to a stream

    /// Members sent at the end of a stream.
    private static let ends = ["stop_reason", "stop_sequence", "stop_details"]
    /// Members of the usage that are repeated at the end of a stream.
    private static let counts = [
        "input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "output_tokens", "server_tool_use",
    ]

    static func stream(of message: JSONObject) -> [UInt8]? {
        guard message["type"] == "message", let blocks = message["content"]?.array,
            message["stop_reason"]?.string != nil, let usage = message["usage"]?.object
        else { return nil }
        var output: [UInt8] = []
        var begun = message.with("content", []).with("stop_reason", .null).with("stop_sequence", .null)
        begun["stop_details"] = nil
        begun["usage"] = .object(usage.with("output_tokens", 0))
        EventLines.appendTyped(["type": "message_start", "message": .object(begun)], to: &output)
        for (index, block) in blocks.enumerated() {
            guard let block = block.object else { return nil }
            append(block, JSONValue.integer(index), to: &output)
        }
        let end = JSONObject(message.members.filter { ends.contains($0.name) })
        let report = JSONObject(usage.members.filter { counts.contains($0.name) && !$0.value.isNull })
        EventLines.appendTyped(
            ["type": "message_delta", "delta": .object(end), "usage": .object(report)], to: &output)
        EventLines.appendTyped(["type": "message_stop"], to: &output)
        return output
    }

    private static func append(_ block: JSONObject, _ index: JSONValue, to output: inout [UInt8]) {
        var begun = block
        var deltas: [JSONObject] = []
        if let text = block["text"]?.string {
            begun["text"] = ""
            deltas.append(["type": "text_delta", "text": .string(text)])
        }
        if let citations = block["citations"]?.array {
            begun["citations"] = []
            deltas += citations.map { ["type": "citations_delta", "citation": $0] }
        }
        if let thinking = block["thinking"]?.string {
            begun["thinking"] = ""
            deltas.append(["type": "thinking_delta", "thinking": .string(thinking)])
        }
        if let signature = block["signature"]?.string {
            begun["signature"] = ""
            deltas.append(["type": "signature_delta", "signature": .string(signature)])
        }
        if let input = block["input"], input.object != nil {
            begun["input"] = [:]
            let text = input.object?.members.isEmpty == true ? "" : input.text
            deltas.append(["type": "input_json_delta", "partial_json": .string(text)])
        }
        EventLines.appendTyped(
            ["type": "content_block_start", "index": index, "content_block": .object(begun)], to: &output)
        for delta in deltas {
            EventLines.appendTyped(
                ["type": "content_block_delta", "index": index, "delta": .object(delta)], to: &output)
        }
        EventLines.appendTyped(["type": "content_block_stop", "index": index], to: &output)
    }

    // MARK: From a stream to a whole response

    private struct Block {
        var content: JSONObject
        var input = ""
    }

    static func document(of events: inout EventReader, isStrict: Bool) -> JSONObject? {
        var message: JSONObject?
        var blocks: [Int: Block] = [:]
        var isOver = false
        while let event = events.next() {
            guard event.members.count <= Pieces.mostMembers else { return nil }
            switch event["type"]?.string {
            case "ping"?: continue
            case "message_start"?:
                guard message == nil else { return nil }
                message = event["message"]?.object
            case "content_block_start"?:
                guard let index = event["index"]?.integer, let block = event["content_block"]?.object,
                    blocks[index] == nil
                else { return nil }
                blocks[index] = Block(content: block)
            case "content_block_delta"?:
                guard let index = event["index"]?.integer, let delta = event["delta"]?.object else { return nil }
                if !isStrict, blocks[index] == nil { blocks[index] = block(begunBy: delta) }
                guard blocks[index] != nil, take(delta, into: &blocks[index, default: Block(content: [:])]) else {
                    return nil
                }
            case "content_block_stop"?: continue
            case "message_delta"?:
                guard var known = message, end(&known, by: event) else { return nil }
                message = known
            case "message_stop"?: isOver = true
            default: if isStrict { return nil }
            }
        }
        guard isOver, var message else { return nil }
        if !isStrict, message["stop_reason"]?.string == nil {
            let calls = blocks.values.contains { $0.content["type"] == "tool_use" }
            message["stop_reason"] = calls ? "tool_use" : "end_turn"
        }
        guard message["stop_reason"]?.string != nil, let contents = contents(blocks) else { return nil }
        message["content"] = .array(contents)
        return message
    }

    private static func contents(_ blocks: [Int: Block]) -> [JSONValue]? {
        var contents: [JSONValue] = []
        for (_, block) in blocks.sorted(by: { $0.key < $1.key }) {
            var content = block.content
            if !block.input.isEmpty {
                guard let input = try? JSONValue(Array(block.input.utf8)) else { return nil }
                content["input"] = input
            }
            contents.append(.object(content))
        }
        return contents
    }

    /// Merges the final `message_delta` event into the message.
    private static func end(_ message: inout JSONObject, by event: JSONObject) -> Bool {
        let told = (event["delta"]?.object?.members ?? []) + event.without("type", "delta", "usage").members
        let counts = event["usage"]?.object?.members ?? []
        guard message.members.count + told.count + counts.count <= Pieces.mostMembers else { return false }
        for member in told { message[member.name] = member.value }
        var usage = message["usage"]?.object ?? JSONObject()
        for member in counts where !member.value.isNull { usage[member.name] = member.value }
        message["usage"] = .object(usage)
        return true
    }

    /// Returns a block begun by a delta, for an upstream that does not announce blocks; nil if its kind is unclear.
    private static func block(begunBy delta: JSONObject) -> Block? {
        switch delta["type"]?.string {
        case "text_delta"?: Block(content: ["type": "text", "text": ""])
        case "thinking_delta"?: Block(content: ["type": "thinking", "thinking": "", "signature": ""])
        default: nil
        }
    }

    private static func take(_ delta: JSONObject, into block: inout Block) -> Bool {
        func extend(_ name: String) -> Bool {
            guard let more = delta[name]?.string else { return false }
            return block.content.extend(name, by: more)
        }
        switch delta["type"]?.string {
        case "text_delta"?: return extend("text")
        case "thinking_delta"?: return extend("thinking")
        case "signature_delta"?: return extend("signature")
        case "input_json_delta"?:
            guard let more = delta["partial_json"]?.string else { return false }
            block.input += more
            return true
        case "citations_delta"?:
            guard let citation = delta["citation"] else { return false }
            return block.content.append(citation, to: "citations")
        default: return false
        }
    }
}

extension JSONObject {
    /// Appends to a string member, creating it if it is missing.
    fileprivate mutating func extend(_ name: String, by more: String) -> Bool {
        guard let place = members.lastIndex(where: { $0.name == name }) else {
            members.append(Member(name: name, value: .string(more)))
            return true
        }
        if members[place].value.isNull { members[place].value = "" }
        return members[place].value.editString { $0 += more } != nil
    }

    fileprivate mutating func append(_ element: JSONValue, to name: String) -> Bool {
        if self[name]?.array == nil { self[name] = [] }
        guard let place = members.lastIndex(where: { $0.name == name }) else { return false }
        return members[place].value.editArray { $0.append(element) } != nil
    }
}
