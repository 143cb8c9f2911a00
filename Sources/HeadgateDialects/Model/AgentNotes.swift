/// Notes that agents write for their own provider and that differ from turn to turn. If other upstreams received them,
/// no prefix of the prompt would be in their cache.
package enum AgentNotes {
    /// Top-level members of requests that identify the turn and do not change the reply. They are Codex's ids of the
    /// turn, and the message against which Claude Code wants cache misses explained.
    package static let members: Set<String> = ["client_metadata", "diagnostics"]
    /// The equivalent members of items and messages.
    package static let itemMembers: Set<String> = ["internal_chat_message_metadata_passthrough", "metadata"]

    /// Claude Code begins its system text with `x-anthropic-billing-header: ...; cch=<differs>;`.
    private static let opening = Array("x-anthropic-".utf8)

    /// Returns the number of bytes in the leading lines of a system text that have the form of an Anthropic header.
    ///
    /// - Parameter isEscaped: Whether the text is the inside of a JSON string.
    package static func length(in text: some Collection<UInt8>, isEscaped: Bool) -> Int {
        var rest = text[...]
        while let end = lineEnd(rest, isEscaped: isEscaped) { rest = rest[end...] }
        return text.count - rest.count
    }

    private static func lineEnd<Text: Collection<UInt8>>(_ text: Text, isEscaped: Bool) -> Text.Index? {
        guard text.starts(with: opening) else { return nil }
        var rest = text.dropFirst(opening.count).drop { isNameByte($0) }
        guard rest.first == UInt8(ascii: ":") else { return nil }
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "\n") { break }
            // An escape is two bytes here; the rest of a `\\u` escape is plain characters.
            if isEscaped, byte == UInt8(ascii: "\\"), rest.popFirst() == UInt8(ascii: "n") { break }
        }
        return rest.startIndex
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "-") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    /// Returns the text without such lines.
    static func removed(from text: String) -> String {
        let count = length(in: text.utf8, isEscaped: false)
        return count == 0 ? text : String(decoding: text.utf8.dropFirst(count), as: UTF8.self)
    }

    /// Returns a request without notes.
    package static func removed(from request: JSONObject) -> JSONObject {
        var request = request
        for name in ["system", "instructions"] {
            if let text = request[name] { request[name] = content(text) }
        }
        for name in ["messages", "input"] {
            guard let elements = request[name]?.array else { continue }
            request[name] = .array(elements.map(element))
        }
        request.members.removeAll { members.contains($0.name) }
        return request
    }

    private static func element(_ element: JSONValue) -> JSONValue {
        guard var object = element.object else { return element }
        object.members.removeAll { itemMembers.contains($0.name) }
        if object["role"] == "system" || object["role"] == "developer", let text = object["content"] {
            object["content"] = content(text)
        }
        return .object(object)
    }

    /// Removes notes from a string, or from the parts of a text.
    private static func content(_ content: JSONValue) -> JSONValue {
        switch content {
        case .string(let text): return .string(removed(from: text))
        case .array(let parts):
            return .array(
                parts.compactMap { part in
                    guard var object = part.object, let text = object["text"]?.string else { return part }
                    let rest = removed(from: text)
                    if rest.isEmpty, !text.isEmpty { return nil }
                    object["text"] = .string(rest)
                    return .object(object)
                })
        default: return content
        }
    }
}

extension ModelRequest {
    /// Removes notes from the instructions.
    mutating func removeAgentNotes() {
        for index in messages.indices where messages[index].isInstruction {
            messages[index].parts = messages[index].parts.compactMap { part in
                guard case .text(let text) = part.content else { return part }
                let rest = AgentNotes.removed(from: text)
                return rest.isEmpty && !text.isEmpty ? nil : Part(.text(rest), cacheMarker: part.cacheMarker)
            }
        }
        messages.removeAll { $0.isInstruction && $0.parts.isEmpty }
    }
}
