/// The `content` of a message that the model wrote.
enum ChatContent {
    /// Returns the text of a message's content; nil if it is neither a string nor an array.
    ///
    /// - Parameter content: A string, or an array of parts with texts, as some upstreams write it.
    static func text(_ content: JSONValue?) -> String? {
        switch content {
        case .string(let text): return text
        case .array(let parts): return parts.compactMap { $0["text"]?.string }.joined()
        default: return nil
        }
    }

    /// Returns the text and the reasoning of a response in their order.
    ///
    /// - Parameter content: A string or a list of parts. Mistral and proxies of Anthropic put their reasoning into it.
    static func contents(_ content: JSONValue?) -> [Content] {
        switch content {
        case .string(let text): return text.isEmpty ? [] : [.text(text)]
        case .object: return content.flatMap(part).map { [$0] } ?? []
        case .array(let parts):
            var contents: [Content] = []
            var text = ""
            for part in parts.compactMap(part) {
                if case .text(let more) = part {
                    text += more
                    continue
                }
                if !text.isEmpty { contents.append(.text(text)) }
                text = ""
                contents.append(part)
            }
            return text.isEmpty ? contents : contents + [.text(text)]
        default: return []
        }
    }

    /// Returns the content of a part; nil if the part is empty.
    private static func part(_ part: JSONValue) -> Content? {
        switch part["type"]?.string {
        case ChatReasoning.thinking?, ChatReasoning.redacted?, "reasoning"?:
            if let reasoning = ChatReasoning.read(part) {
                return reasoning.text.isEmpty && reasoning.seal == nil ? nil : .reasoning(reasoning)
            }
            let thought = part["thinking"] ?? part["reasoning"] ?? part["text"]
            guard let text = text(thought), !text.isEmpty else { return nil }
            return .reasoning(Reasoning(text))
        case "refusal"?: return part["refusal"]?.string.flatMap { $0.isEmpty ? nil : .refusal($0) }
        default: return (part.string ?? part["text"]?.string).map(Content.text)
        }
    }

    /// Returns the text of a call's arguments, which some upstreams write as an object instead.
    static func arguments(_ value: JSONValue?) -> String {
        guard let value, !value.isNull else { return "" }
        return value.string ?? value.text
    }

    /// Returns an id for a call that came without one. It depends only on the response's id and the call's number.
    static func inventedID(response: String, call: Int) -> String {
        let known = response.unicodeScalars.filter {
            $0.isASCII && $0.properties.isAlphabetic || ("0"..."9").contains($0)
        }
        return "call_\(String(String.UnicodeScalarView(known.suffix(24))))_\(call)"
    }
}
