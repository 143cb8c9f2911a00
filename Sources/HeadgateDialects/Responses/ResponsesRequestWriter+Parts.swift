extension ResponsesRequestDraft {
    /// Returns a part of a user message or of a result; nil for an empty text.
    mutating func inputPart(_ part: Part) throws(TranslationError) -> JSONValue? {
        var written: JSONObject
        switch part.content {
        case .text(let text), .refusal(let text):
            guard !text.isEmpty else { return nil }
            written = ["type": "input_text", "text": .string(text)]
        case .image(let source, let detail): written = try image(source, detail)
        case .document(let source, let name): written = try document(source, name)
        // These contents do not occur in user messages.
        case .reasoning, .toolCall, .toolResult: return nil
        }
        if let marker = part.cacheMarker { written["prompt_cache_breakpoint"] = breakpoint(marker) }
        return .object(written)
    }

    private func image(_ source: Source, _ detail: String?) throws(TranslationError) -> JSONObject {
        let url: String
        switch source {
        case .data(let mediaType, let base64): url = Source.dataURL(mediaType: mediaType, base64: base64)
        case .url(let address): url = address
        case .file: throw losses.refusal(of: .uploadedFiles, by: .responses)
        case .text: throw losses.refusal(of: .images, by: .responses)
        }
        return ["type": "input_image", "detail": .string(detail ?? "auto"), "image_url": .string(url)]
    }

    private func document(_ source: Source, _ name: String?) throws(TranslationError) -> JSONObject {
        switch source {
        case .data(let mediaType, let base64):
            return [
                "type": "input_file", "filename": .string(name ?? "document.pdf"),
                "file_data": .string(Source.dataURL(mediaType: mediaType, base64: base64)),
            ]
        case .url(let address):
            var file: JSONObject = ["type": "input_file", "file_url": .string(address)]
            if let name { file["filename"] = .string(name) }
            return file
        case .file: throw losses.refusal(of: .uploadedFiles, by: .responses)
        case .text(let text):
            let title = name.map { $0 + ResponsesItem.paragraph } ?? ""
            return ["type": "input_text", "text": .string(title + text)]
        }
    }

    /// Returns a cache breakpoint. OpenAI's lifetimes differ from Anthropic's; any other lifetime becomes the default.
    private mutating func breakpoint(_ marker: CacheMarker) -> JSONValue {
        switch marker.timeToLive {
        case nil, "5m"?: break
        case let time? where Self.times.contains(time): return ["mode": "explicit", "ttl": .string(time)]
        default: losses.drop(.cacheMarkers)
        }
        return ["mode": "explicit"]
    }

    private static let times: Set<String> = ["30m", "12h"]
}
