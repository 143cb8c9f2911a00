/// Anthropic's messages in both forms.
enum MessagesForms {
    // MARK: A stream of a whole answer

    /// Members that the end of a stream tells.
    private static let ends = ["stop_reason", "stop_sequence", "stop_details"]
    /// Of the usage: what the end of a stream tells again.
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

    // MARK: A whole answer of a stream

    private struct Block {
        var content: JSONObject
        var input = ""
    }

    static func document(of events: [JSONObject]) -> JSONObject? {
        var message: JSONObject?
        var blocks: [Int: Block] = [:]
        var isOver = false
        for event in events {
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
                guard let index = event["index"]?.integer, let delta = event["delta"]?.object,
                    var block = blocks[index], take(delta, into: &block)
                else { return nil }
                blocks[index] = block
            case "content_block_stop"?: continue
            case "message_delta"?:
                guard message != nil else { return nil }
                for member in event["delta"]?.object?.members ?? [] { message?[member.name] = member.value }
                var usage = message?["usage"]?.object ?? JSONObject()
                for member in event["usage"]?.object?.members ?? [] where !member.value.isNull {
                    usage[member.name] = member.value
                }
                message?["usage"] = .object(usage)
                for member in event.without("type", "delta", "usage").members {
                    message?[member.name] = member.value
                }
            case "message_stop"?: isOver = true
            default: return nil
            }
        }
        guard isOver, var message, message["stop_reason"]?.string != nil else { return nil }
        var contents: [JSONValue] = []
        for (_, block) in blocks.sorted(by: { $0.key < $1.key }) {
            var content = block.content
            if !block.input.isEmpty {
                guard let input = try? JSONValue(Array(block.input.utf8)) else { return nil }
                content["input"] = input
            }
            contents.append(.object(content))
        }
        message["content"] = .array(contents)
        return message
    }

    private static func take(_ delta: JSONObject, into block: inout Block) -> Bool {
        func extend(_ name: String) -> Bool {
            guard let more = delta[name]?.string else { return false }
            block.content[name] = .string((block.content[name]?.string ?? "") + more)
            return true
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
            block.content["citations"] = .array((block.content["citations"]?.array ?? []) + [citation])
            return true
        default: return false
        }
    }
}
