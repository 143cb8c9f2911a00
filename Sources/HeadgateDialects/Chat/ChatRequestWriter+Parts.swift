extension ChatRequestWriter {
    /// - Returns: A part of a message; nil for content that cannot be one.
    mutating func element(_ content: Content) throws(TranslationError) -> JSONObject? {
        switch content {
        case .text(let text), .document(.text(let text), _), .refusal(let text): return Self.text(text)
        case .image(let source, let detail): return try image(source, detail)
        case .document(let source, let name): return try document(source, name)
        case .reasoning, .toolCall, .toolResult: return nil
        }
    }

    private static func text(_ text: String) -> JSONObject {
        ["type": "text", "text": .string(text)]
    }

    private func image(_ source: Source, _ detail: String?) throws(TranslationError) -> JSONObject {
        var image = JSONObject()
        switch source {
        case .data(let mediaType, let base64):
            image["url"] = .string(Source.dataURL(mediaType: mediaType, base64: base64))
        case .url(let url): image["url"] = .string(url)
        case .file: throw losses.refusal(of: .uploadedFiles, by: .chat)
        case .text: throw losses.refusal(of: .images, by: .chat)
        }
        image["detail"] = detail.map(JSONValue.string)
        return ["type": "image_url", "image_url": .object(image)]
    }

    private func document(_ source: Source, _ name: String?) throws(TranslationError) -> JSONObject {
        switch source {
        case .data(let mediaType, let base64):
            let file: JSONValue = [
                "filename": .string(name ?? "document.pdf"),
                "file_data": .string(Source.dataURL(mediaType: mediaType, base64: base64)),
            ]
            return ["type": "file", "file": file]
        case .text(let text): return Self.text(text)
        case .file: throw losses.refusal(of: .uploadedFiles, by: .chat)
        // Chat completions accept documents only inline.
        case .url: throw losses.refusal(of: .documentURLs, by: .chat)
        }
    }
}
