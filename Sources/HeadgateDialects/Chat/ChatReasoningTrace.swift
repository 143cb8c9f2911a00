/// Reasoning in the members of a chat message, in the form in which the provider expects it back.
struct ChatReasoningTrace {
    private var member: ReasoningSeal.Kind?
    private var details: [JSONObject] = []
    private var size = 0

    /// Maximum bytes of details to store; beyond them only the text is stored.
    private static let mostBytes = 256 << 10
    /// Maximum number of details in one response. The limit exists because each detail is compared with the others.
    private static let most = 1024

    /// Reads a message, or a delta of one, and returns the text that it adds.
    mutating func read(_ message: JSONObject) -> String {
        for kind in [ReasoningSeal.Kind.content, .plain] {
            guard let text = message[kind.rawValue]?.string, !text.isEmpty else { continue }
            if member == nil { member = kind }
            for detail in message[ReasoningSeal.Kind.details.rawValue]?.array ?? [] { _ = add(detail) }
            return text
        }
        return (message[ReasoningSeal.Kind.details.rawValue]?.array ?? []).map { add($0) }.joined()
    }

    /// Returns the seal for the reasoning since the last seal and clears it; nil if there is none.
    mutating func take() -> ReasoningSeal? {
        defer { self = ChatReasoningTrace() }
        guard !details.isEmpty, size <= Self.mostBytes else { return member.map { ReasoningSeal(.chat, $0, "") } }
        let text = JSONValue.array(details.map(JSONValue.object)).text
        return ReasoningSeal(.chat, .details, (member?.rawValue ?? "") + text)
    }

    /// Adds a detail and returns the part of its text that can be shown.
    private mutating func add(_ value: JSONValue) -> String {
        guard let detail = value.object, size <= Self.mostBytes else { return "" }
        guard let last = details.lastIndex(where: { Self.isSame($0, detail) }) else {
            details.append(detail)
            size += details.count > Self.most ? Self.mostBytes : value.text.utf8.count
            return detail["text"]?.string ?? detail["summary"]?.string ?? ""
        }
        var shown = ""
        for new in detail.members where !new.value.isNull {
            guard Self.growing.contains(new.name), let text = new.value.string else {
                guard details[last][new.name] != new.value else { continue }
                details[last][new.name] = new.value
                size += new.value.text.utf8.count
                continue
            }
            let before = details[last][new.name]?.string ?? ""
            // MiniMax repeats what came before.
            let isWhole = detail["format"]?.string?.hasPrefix("MiniMax") == true && text.hasPrefix(before)
            let piece = isWhole ? String(text.dropFirst(before.count)) : text
            details[last][new.name] = .string(before + piece)
            size += piece.utf8.count
            if new.name == "text" || new.name == "summary" { shown += piece }
        }
        return shown
    }

    private static let growing: Set<String> = ["text", "summary", "data", "signature"]

    /// Returns whether two details are pieces of the same one.
    private static func isSame(_ one: JSONObject, _ other: JSONObject) -> Bool {
        one["type"] == other["type"] && one["index"] == other["index"] && one["index"] != nil
            && (one.present("id") == nil || other.present("id") == nil || one["id"] == other["id"])
    }
}
