extension MessagesRequestDraft {
    private static let imageTypes: Set = ["image/jpeg", "image/png", "image/gif", "image/webp"]

    /// Returns a block that is allowed in a message and in a tool result; nil for an empty text.
    mutating func block(_ part: Part) throws(TranslationError) -> JSONValue? {
        var block: JSONObject
        switch part.content {
        case .text(let text), .refusal(let text): return textBlock(text, part.cacheMarker)
        case .image(let source, let detail):
            if let detail, detail != "auto" { losses.drop(.imageDetail) }
            block = try image(source)
        case .document(let source, let name):
            block = try document(source.withPlainText)
            if let name, !name.isBlank { block["title"] = .string(name) }
        case .reasoning, .toolCall, .toolResult:
            throw TranslationError("The result of a tool can hold nothing but texts, images and documents.")
        }
        markers.put(part.cacheMarker, on: &block, &losses)
        return .object(block)
    }

    /// Returns a text block; nil for blank text, which the provider rejects.
    mutating func textBlock(_ text: String, _ marker: CacheMarker?) -> JSONValue? {
        guard !text.isBlank else { return nil }
        var block: JSONObject = ["type": "text", "text": .string(text)]
        markers.put(marker, on: &block, &losses)
        return .object(block)
    }

    /// Returns a thinking block; nil without a seal of this format, because the provider accepts only its own thinking.
    func thinkingBlock(_ reasoning: Reasoning) -> JSONValue? {
        guard let seal = reasoning.seal, seal.isOf(target, .messages) else { return nil }
        switch seal.kind {
        case .redacted: return ["type": "redacted_thinking", "data": .string(seal.text)]
        case .signed, .unsigned:
            return ["type": "thinking", "thinking": .string(reasoning.text), "signature": .string(seal.text)]
        case .content, .plain, .details, .call: return nil
        }
    }

    private func image(_ source: Source) throws(TranslationError) -> JSONObject {
        switch source {
        case .data("application/pdf", _): return try document(source)
        case .data(let type, let base64):
            let type = type == "image/jpg" ? "image/jpeg" : type
            guard MessagesRequestDraft.imageTypes.contains(type) else {
                throw TranslationError(
                    "The upstream of this model takes images of the types JPEG, PNG, GIF and WebP, not '\(type)'.",
                    member: Feature.images.name(in: losses.client))
            }
            return [
                "type": "image", "source": ["type": "base64", "media_type": .string(type), "data": .string(base64)],
            ]
        case .url(let url):
            if url.lowercased().hasSuffix(".pdf") { return try document(source) }
            return ["type": "image", "source": ["type": "url", "url": .string(url)]]
        case .file: throw losses.refusal(of: .uploadedFiles, by: .messages)
        case .text: throw losses.refusal(of: .images, by: .messages)
        }
    }

    private func document(_ source: Source) throws(TranslationError) -> JSONObject {
        switch source {
        case .data(let type, let base64):
            guard type == "application/pdf" else {
                throw TranslationError(
                    "The upstream of this model takes documents as PDF or plain text, not '\(type)': send its text.",
                    member: Feature.documents.name(in: losses.client))
            }
            return [
                "type": "document", "source": ["type": "base64", "media_type": .string(type), "data": .string(base64)],
            ]
        case .text(let text):
            return [
                "type": "document", "source": ["type": "text", "media_type": "text/plain", "data": .string(text)],
            ]
        case .url(let url): return ["type": "document", "source": ["type": "url", "url": .string(url)]]
        case .file: throw losses.refusal(of: .uploadedFiles, by: .messages)
        }
    }
}
