@testable import HeadgateDialects

// Literals for parts of conversations.
extension Part: ExpressibleByStringLiteral {
    public init(stringLiteral value: String) { self.init(.text(value)) }

    static func call(_ id: String, _ name: String, _ arguments: String, isCustom: Bool = false) -> Part {
        Part(.toolCall(ToolCall(id: id, name: name, arguments: arguments, isCustom: isCustom)))
    }

    static func result(_ id: String, _ parts: [Part], isError: Bool = false, isCustom: Bool = false) -> Part {
        Part(.toolResult(ToolResult(callID: id, parts: parts, isError: isError, isCustom: isCustom)))
    }

    static func reasoning(_ text: String, _ seal: ReasoningSeal? = nil) -> Part {
        Part(.reasoning(Reasoning(text, seal: seal)))
    }
}
