/// One turn of a conversation.
package struct Message: Equatable, Sendable {
    package enum Role: String, Sendable {
        case system, developer, user, assistant
        /// Results of tools only.
        case tool
    }

    package var role: Role
    package var parts: [Part]

    package init(_ role: Role, _ parts: [Part]) {
        self.role = role
        self.parts = parts
    }
}

package struct Part: Equatable, Sendable {
    package var content: Content
    /// Marker if the client wants the prompt to be cached up to here.
    package var cacheMarker: CacheMarker?

    package init(_ content: Content, cacheMarker: CacheMarker? = nil) {
        self.content = content
        self.cacheMarker = cacheMarker
    }
}

package struct CacheMarker: Equatable, Sendable {
    /// Lifetime as the client wrote it, such as `5m`; nil for the default.
    package var timeToLive: String?

    package init(timeToLive: String? = nil) { self.timeToLive = timeToLive }
}

package enum Content: Equatable, Sendable {
    case text(String)
    /// - Parameter detail: OpenAI's `low`, `high`, `auto` or `original`.
    case image(Source, detail: String?)
    /// A PDF or a plain text.
    case document(Source, name: String?)
    case reasoning(Reasoning)
    case refusal(String)
    case toolCall(ToolCall)
    case toolResult(ToolResult)
}

/// Source of an image or a document.
package enum Source: Equatable, Sendable {
    /// - Parameter base64: The contents.
    case data(mediaType: String, base64: String)
    case url(String)
    /// A file stored at the provider that the client believes it is talking to.
    case file(id: String)
    /// A plain-text document.
    case text(String)
}

/// Reasoning of a model before its reply. Providers accept it back only with the seal that they gave it.
package struct Reasoning: Equatable, Sendable {
    /// Text, which can be a summary; empty if the provider hides it.
    package var text: String
    package var seal: ReasoningSeal?

    package init(_ text: String, seal: ReasoningSeal? = nil) {
        self.text = text
        self.seal = seal
    }
}

package struct ToolResult: Equatable, Sendable {
    package var callID: String
    /// Texts, images and documents.
    package var parts: [Part]
    package var isError: Bool
    package var isCustom: Bool

    package init(callID: String, parts: [Part], isError: Bool = false, isCustom: Bool = false) {
        self.callID = callID
        self.parts = parts
        self.isError = isError
        self.isCustom = isCustom
    }
}
