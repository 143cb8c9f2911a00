/// The `content` of a message of the model.
enum ChatContent {
    /// - Parameter content: a text, or as some write it an array of parts with texts.
    static func text(_ content: JSONValue?) -> String? {
        switch content {
        case .string(let text): return text
        case .array(let parts): return parts.compactMap { $0["text"]?.string }.joined()
        default: return nil
        }
    }

    /// The text of a call's arguments, which some write as the object that the text should be.
    static func arguments(_ value: JSONValue?) -> String {
        guard let value, !value.isNull else { return "" }
        return value.string ?? value.text
    }

    /// An id for a call that came without one: the same for the same response and call, another one for all others.
    static func inventedID(response: String, call: Int) -> String {
        let known = response.unicodeScalars.filter {
            $0.isASCII && $0.properties.isAlphabetic || ("0"..."9").contains($0)
        }
        return "call_\(String(String.UnicodeScalarView(known.suffix(24))))_\(call)"
    }
}
