import Testing

@testable import HeadgateDialects

/// A stream as a Responses client receives it.
struct WrittenResponsesStream {
    var text = ""
    var events: [JSONValue] = []

    init(_ written: [ResponseEvent], _ context: ResponseContext = .example) throws {
        var writer = ResponsesStreamWriter(context)
        var output: [UInt8] = []
        for event in written { try writer.write(event, to: &output) }
        text = String(decoding: output, as: UTF8.self)
        for event in text.components(of: "\n\n") where event != "data: [DONE]" {
            let lines = event.components(of: "\n")
            try #require(lines.count == 2)
            let data = try JSONValue(Array(lines[1].dropFirst("data: ".count).utf8))
            #expect(lines[0] == "event: \(data["type"]?.string ?? "")")
            events.append(data)
        }
        #expect(writer.eventCount == events.count)
    }

    var types: [String] { events.compactMap { $0["type"]?.string } }
    var response: JSONValue { events.last?["response"] ?? nil }
    var output: [JSONValue] { response["output"]?.array ?? [] }

    /// Types of events about items, without their common prefix, such as `0 output_text.delta`.
    var steps: [String] {
        events.compactMap { event in
            event["output_index"]?.integer.map { "\($0) \(event["type"]?.string?.dropFirst("response.".count) ?? "")" }
        }
    }

    /// Checks the properties of every complete stream: numbers count up, pieces add up, and the last event repeats the
    /// items.
    func checkWhole() {
        #expect(text.hasSuffix("data: [DONE]\n\n"))
        #expect(events.map { $0["sequence_number"]?.integer } == Array(0..<events.count))
        #expect(types.prefix(2) == ["response.created", "response.in_progress"])
        var added: [JSONValue] = []
        var done: [Int: JSONValue] = [:]
        var pieces: [String: String] = [:]
        for event in events {
            guard let index = event["output_index"]?.integer, let type = event["type"]?.string else { continue }
            if type == "response.output_item.added" {
                #expect(index == added.count)
                added.append(event["item"] ?? nil)
                continue
            }
            #expect(index < added.count)
            #expect(done[index] == nil)
            if let id = event["item_id"] { #expect(id == added[index]["id"]) }
            let place = "\(index) \(event["content_index"]?.integer ?? 0)"
            if let delta = event["delta"]?.string { pieces[place, default: ""] += delta }
            if type.hasSuffix("text.done") || type.hasSuffix("refusal.done") || type.hasSuffix("arguments.done")
                || type.hasSuffix("input.done")
            {
                let whole = event["text"] ?? event["refusal"] ?? event["arguments"] ?? event["input"]
                #expect(whole?.string == pieces[place, default: ""])
            }
            if type == "response.output_item.done" {
                done[index] = event["item"]
                #expect(event["item"]?["id"] == added[index]["id"])
            }
        }
        #expect(done.count == added.count)
        #expect(output == done.sorted { $0.key < $1.key }.map(\.value))
    }
}

extension ResponseContext {
    static var example: ResponseContext {
        var context = ResponseContext()
        context.id = "x1"
        context.created = 1_700_000_000
        context.model = "smart"
        return context
    }
}

extension String {
    /// Returns the parts between separators, without an empty part at the end.
    fileprivate func components(of separator: String) -> [String] {
        var parts: [String] = []
        var rest = self[...]
        while let range = rest.firstRange(of: separator) {
            parts.append(String(rest[..<range.lowerBound]))
            rest = rest[range.upperBound...]
        }
        return rest.isEmpty ? parts : parts + [String(rest)]
    }
}
