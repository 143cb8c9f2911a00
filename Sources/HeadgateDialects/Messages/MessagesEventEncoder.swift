import JSONBytes

/// Encodes the events of a stream. Blocks are counted here; the caller must balance them.
struct MessagesEventEncoder {
    /// A kind of delta, and its member.
    enum Delta {
        case text
        case thinking
        case signature
        /// A fragment of a JSON object, as text.
        case input

        fileprivate var head: String {
            switch self {
            case .text: #","delta":{"type":"text_delta","text":"#
            case .thinking: #","delta":{"type":"thinking_delta","thinking":"#
            case .signature: #","delta":{"type":"signature_delta","signature":"#
            case .input: #","delta":{"type":"input_json_delta","partial_json":"#
            }
        }
    }

    private(set) var eventCount = 0
    /// Number of blocks that have been started; the last one is the open block.
    private(set) var blockCount = 0

    mutating func startMessage(_ message: JSONObject, to output: inout [UInt8]) {
        eventCount += 1
        output.append(contentsOf: "event: message_start\ndata: {\"type\":\"message_start\",\"message\":".utf8)
        message.append(to: &output)
        output.append(contentsOf: "}\n\n".utf8)
    }

    mutating func startText(to output: inout [UInt8]) {
        startBlock(#"{"type":"text","text":""}"#, to: &output)
    }

    mutating func startThinking(to output: inout [UInt8]) {
        startBlock(#"{"type":"thinking","thinking":"","signature":""}"#, to: &output)
    }

    mutating func startRedactedThinking(_ data: String, to output: inout [UInt8]) {
        startBlock(JSONValue.object(["type": "redacted_thinking", "data": .string(data)]).text, to: &output)
    }

    mutating func startToolUse(id: String, name: String, to output: inout [UInt8]) {
        let block: JSONObject = [
            "type": "tool_use", "id": .string(id), "name": .string(name), "input": .object([:]),
        ]
        startBlock(JSONValue.object(block).text, to: &output)
    }

    /// Writes a whole block.
    mutating func writeCompaction(_ summary: String, to output: inout [UInt8]) {
        startBlock(#"{"type":"compaction","content":null,"encrypted_content":null}"#, to: &output)
        eventCount += 1
        let event: JSONObject = [
            "type": "content_block_delta", "index": .integer(blockCount - 1),
            "delta": .object(MessagesResponseWriter.compaction(summary).with("type", "compaction_delta")),
        ]
        EventLines.appendTyped(event, to: &output)
        stopBlock(to: &output)
    }

    mutating func delta(_ delta: Delta, _ text: String, to output: inout [UInt8]) {
        eventCount += 1
        output.append(
            contentsOf: "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":".utf8)
        output.append(contentsOf: "\(blockCount - 1)".utf8)
        output.append(contentsOf: delta.head.utf8)
        JSONEscaping.append(text, to: &output)
        output.append(contentsOf: "}}\n\n".utf8)
    }

    mutating func stopBlock(to output: inout [UInt8]) {
        eventCount += 1
        output.append(contentsOf: "event: content_block_stop\ndata: {\"type\":\"content_block_stop\",\"index\":".utf8)
        output.append(contentsOf: "\(blockCount - 1)}\n\n".utf8)
    }

    /// Writes the stop reason, the usage, and the end of the message.
    mutating func end(reason: String, sequence: JSONValue, _ usage: TokenUsage, to output: inout [UInt8]) {
        eventCount += 2
        let event: JSONObject = [
            "type": "message_delta",
            "delta": ["stop_reason": .string(reason), "stop_sequence": sequence],
            "usage": MessagesUsage.written(usage),
        ]
        output.append(contentsOf: "event: message_delta\ndata: ".utf8)
        event.append(to: &output)
        output.append(contentsOf: "\n\nevent: message_stop\ndata: {\"type\":\"message_stop\"}\n\n".utf8)
    }

    private mutating func startBlock(_ block: String, to output: inout [UInt8]) {
        eventCount += 1
        output.append(
            contentsOf: "event: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":".utf8)
        output.append(contentsOf: "\(blockCount),\"content_block\":".utf8)
        output.append(contentsOf: block.utf8)
        output.append(contentsOf: "}\n\n".utf8)
        blockCount += 1
    }
}
