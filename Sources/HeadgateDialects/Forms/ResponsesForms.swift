/// OpenAI's responses in both forms. The last event of a stream carries the whole response.
enum ResponsesForms {
    static func document(of events: inout EventReader, isStrict: Bool) -> JSONObject? {
        var items: [Int: JSONValue] = [:]
        var texts: [Int: String] = [:]
        while let event = events.next() {
            switch event["type"]?.string {
            case "response.output_item.done"?:
                if let index = event["output_index"]?.integer { items[index] = event["item"] }
            case "response.output_text.delta"? where !isStrict:
                texts[event["output_index"]?.integer ?? 0, default: ""] += event["delta"]?.string ?? ""
            case "response.completed"?, "response.incomplete"?:
                guard var response = event["response"]?.object else { return nil }
                guard response["output"]?.array?.isEmpty ?? true else { return response }
                // Some providers leave out earlier items at the end, and some send only the text.
                for (index, text) in texts where items[index] == nil { items[index] = message(text, at: index) }
                if !items.isEmpty { response["output"] = .array(items.sorted { $0.key < $1.key }.map(\.value)) }
                return response
            case "error"?, "response.failed"?: return nil
            default: continue
            }
        }
        return nil
    }

    private static func message(_ text: String, at index: Int) -> JSONValue {
        [
            "id": "msg_\(index)", "type": "message", "role": "assistant", "status": "completed",
            "content": [["type": "output_text", "text": .string(text), "annotations": [], "logprobs": []]],
        ]
    }

    static func stream(of response: JSONObject) -> [UInt8]? {
        guard let items = response["output"]?.array, let status = response["status"]?.string,
            ["completed", "incomplete"].contains(status)
        else { return nil }
        var stream = ResponsesFormStream()
        var begun = response.with("status", "in_progress").with("output", []).with("usage", .null)
        if begun["completed_at"] != nil { begun["completed_at"] = .null }
        if begun["incomplete_details"] != nil { begun["incomplete_details"] = .null }
        for type in ["created", "in_progress"] { stream.append(type, ["response": .object(begun)]) }
        for (index, item) in items.enumerated() {
            guard let item = item.object else { return nil }
            stream.append(item, at: index)
        }
        stream.append(status, ["response": .object(response)])
        EventLines.appendDone(to: &stream.output)
        return stream.output
    }
}

/// The events of one response.
private struct ResponsesFormStream {
    var output: [UInt8] = []
    private var count = 0
    /// Position of the item in progress.
    private var place = JSONObject()

    /// - Parameter type: The event's type without its `response.` prefix.
    mutating func append(_ type: String, _ members: JSONObject) {
        var event: JSONObject = ["type": .string("response.\(type)"), "sequence_number": .integer(count)]
        event.members += members.members
        EventLines.appendTyped(event, to: &output)
        count += 1
    }

    mutating func append(_ item: JSONObject, at index: Int) {
        place = ["item_id": item["id"] ?? "", "output_index": .integer(index)]
        var begun = item
        if item["status"] != nil { begun["status"] = "in_progress" }
        for member in ["content", "summary"] where item[member]?.array != nil { begun[member] = [] }
        for member in ["arguments", "input"] where item[member]?.string != nil { begun[member] = "" }
        append("output_item.added", ["output_index": .integer(index), "item": .object(begun)])
        for (number, part) in (item["summary"]?.array ?? []).enumerated() {
            append(part.object ?? [:], "summary_index", number, "reasoning_summary_part", "reasoning_summary_text")
        }
        for (number, part) in (item["content"]?.array ?? []).enumerated() {
            let part = part.object ?? [:]
            let kind = part["type"]?.string ?? ""
            append(part, "content_index", number, "content_part", kind)
        }
        if let arguments = item["arguments"]?.string, item["type"] == "function_call" {
            appendText(arguments, "function_call_arguments", "arguments", name: item["name"])
        }
        if let input = item["input"]?.string, item["type"] == "custom_tool_call" {
            appendText(input, "custom_tool_call_input", "input", name: nil)
        }
        append("output_item.done", ["output_index": .integer(index), "item": .object(item)])
    }

    private mutating func append(
        _ part: JSONObject, _ counter: String, _ number: Int, _ event: String, _ kind: String
    ) {
        let outer = place
        place[counter] = .integer(number)
        defer { place = outer }
        let member = part["refusal"]?.string == nil ? "text" : "refusal"
        var begun = part
        if part[member]?.string != nil { begun[member] = "" }
        for list in ["annotations", "logprobs"] where part[list]?.array != nil { begun[list] = [] }
        append("\(event).added", place.with("part", .object(begun)))
        if let text = part[member]?.string {
            let logprobs = part["logprobs"] ?? (kind == "output_text" ? .some([]) : .none)
            append("\(kind).delta", with(logprobs, place.with("delta", .string(text))))
            for (index, annotation) in (part["annotations"]?.array ?? []).enumerated() {
                append(
                    "output_text.annotation.added",
                    place.with("annotation_index", .integer(index)).with("annotation", annotation))
            }
            append("\(kind).done", with(logprobs, place.with(member, .string(text))))
        }
        append("\(event).done", place.with("part", .object(part)))
    }

    private func with(_ logprobs: JSONValue?, _ event: JSONObject) -> JSONObject {
        logprobs.map { event.with("logprobs", $0) } ?? event
    }

    private mutating func appendText(_ text: String, _ kind: String, _ member: String, name: JSONValue?) {
        append("\(kind).delta", place.with("delta", .string(text)))
        var done = place.with(member, .string(text))
        if let name { done["name"] = name }
        append("\(kind).done", done)
    }
}
