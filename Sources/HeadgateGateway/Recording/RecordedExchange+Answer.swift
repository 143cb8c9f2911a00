internal import HTTPTypes
internal import HeadgateDialects
internal import HeadgateRelay

// A recording that later requests are answered from must be a real reply. Some upstreams report their errors in a 200,
// or cut a stream short.
extension RecordedExchange {
    /// Form of a conversation's response, by its route.
    private enum Conversation: String, CaseIterable {
        case completions = "/completions"
        case messages = "/messages"
        case responses = "/responses"
    }

    /// Whether the response is a reply, as far as its form is known: not an error, and complete for a conversation.
    var isAnswer: Bool {
        let type = response?.fields.first { $0.name == .contentType }?.value.lowercased() ?? ""
        if type.hasPrefix("text/html") { return false }
        if type.hasPrefix("text/event-stream") { return isAnswer(events) }
        if conversation == nil, !type.contains("json") { return true }
        guard let document = try? JSONValue(body) else { return false }
        return !RecordedExchange.isError(document)
            && (conversation.map { RecordedExchange.isEnd(document, of: $0) } ?? true)
    }

    private var conversation: Conversation? {
        let path = request.route.prefix { $0 != "?" }
        return request.method == "POST" ? Conversation.allCases.first { path.hasSuffix($0.rawValue) } : nil
    }

    /// Data of each event; an element is nil if its data is not JSON.
    private var events: [JSONValue?] {
        var events: [JSONValue?] = []
        var data: [UInt8] = []
        let lines = (body + [0x0A]).split(omittingEmptySubsequences: false) { $0 == 0x0A || $0 == 0x0D }
        for line in lines {
            if line.starts(with: "data:".utf8) {
                data += line.dropFirst("data:".utf8.count) + [0x0A]
            } else if line.isEmpty, !data.isEmpty {
                let text = String(decoding: data, as: UTF8.self)
                events.append(text.contains("[DONE]") && text.utf8.count < 10 ? "[DONE]" : try? JSONValue(data))
                data = []
            }
        }
        return events
    }

    private func isAnswer(_ events: [JSONValue?]) -> Bool {
        guard !events.contains(where: { $0.map(RecordedExchange.isError) ?? false }) else { return false }
        guard let conversation else { return true }
        return events.contains { $0.map { $0 == "[DONE]" || RecordedExchange.isEnd($0, of: conversation) } ?? false }
    }

    private static func isError(_ document: JSONValue) -> Bool {
        if let error = document["error"], !error.isNull { return true }
        return ["error", "response.failed"].contains(document["type"]?.string)
    }

    private static func isEnd(_ document: JSONValue, of conversation: Conversation) -> Bool {
        switch conversation {
        case .completions:
            document["choices"]?.array?.contains { $0["finish_reason"]?.string?.isEmpty == false } ?? false
        case .messages: document["type"] == "message_stop" || document["stop_reason"]?.string != nil
        case .responses:
            ["completed", "incomplete"].contains((document["response"] ?? document)["status"]?.string)
        }
    }
}
