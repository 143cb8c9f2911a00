extension ResponsesRequestReader {
    /// Reads the parts of a message or a result.
    ///
    /// - Parameters:
    ///   - content: A string or an array of parts.
    ///   - path: Path of the content.
    ///   - named: Path of the parts, for losses.
    mutating func parts(
        _ content: JSONValue, of role: Message.Role, at path: String, named: String
    ) throws(TranslationError) -> [Part] {
        if let text = content.string { return text.isEmpty && role == .assistant ? [] : [Part(.text(text))] }
        guard let elements = content.array else { throw .wrongKind(path, "a string or an array of parts") }
        var parts: [Part] = []
        for (index, element) in elements.enumerated() {
            let path = "\(path)[\(index)]"
            let object = try element.requireObject(path)
            let content = try part(object, of: role, at: path, named: named)
            parts.append(Part(content, cacheMarker: Self.cacheMarker(object)))
        }
        return parts
    }

    private mutating func part(
        _ part: JSONObject, of role: Message.Role, at path: String, named: String
    ) throws(TranslationError) -> Content {
        switch (try part.requireString("type", in: path), role) {
        case ("input_text", _), ("output_text", _), ("text", _):
            dropUnknown(of: part, at: named, ["type", "text", "prompt_cache_breakpoint"])
            return .text(try part.requireString("text", in: path))
        case ("refusal", .assistant):
            dropUnknown(of: part, at: named, ["type", "refusal"])
            return .refusal(try part.requireString("refusal", in: path))
        case ("input_image", .user), ("input_image", .tool):
            dropUnknown(of: part, at: named, ["type", "detail", "image_url", "file_id", "prompt_cache_breakpoint"])
            return try image(part, at: path)
        case ("input_file", .user), ("input_file", .tool):
            let known: Set<String> = [
                "type", "file_data", "file_id", "file_url", "filename", "prompt_cache_breakpoint",
            ]
            dropUnknown(of: part, at: named, part["detail"] == "auto" ? known.union(["detail"]) : known)
            return try file(part, at: path)
        case (let type, _):
            throw TranslationError(
                "The upstream of this model takes no part of the type '\(type)' in a message of the role "
                    + "'\(role.rawValue)'.",
                member: "\(path).type")
        }
    }

    private func image(_ part: JSONObject, at path: String) throws(TranslationError) -> Content {
        var detail = try part.string("detail", in: path)
        if detail == "auto" { detail = nil }
        guard let value = part.present("image_url") else {
            guard let id = try part.string("file_id", in: path) else { throw .missing("\(path).image_url") }
            return .image(.file(id: id), detail: detail)
        }
        let path = "\(path).image_url"
        // Some clients write the object of chat completions.
        let url = value["url"] ?? value
        return .image(try Source(url: url.requireString(path), at: path), detail: detail)
    }

    private func file(_ part: JSONObject, at path: String) throws(TranslationError) -> Content {
        let name = try part.string("filename", in: path)
        if let data = try part.string("file_data", in: path) {
            let isURL = data.prefix(5).lowercased() == "data:"
            let source = isURL ? try Source(url: data, at: "\(path).file_data") : .data(Self.pdf, data)
            return .document(source.withPlainText, name: name)
        }
        if let url = try part.string("file_url", in: path) {
            return .document(try Source(url: url, at: "\(path).file_url"), name: name)
        }
        guard let id = try part.string("file_id", in: path) else { throw .missing("\(path).file_data") }
        return .document(.file(id: id), name: name)
    }

    /// Media type assumed for bare base64.
    private static let pdf = "application/pdf"

    private static func cacheMarker(_ part: JSONObject) -> CacheMarker? {
        guard let marker = part.present("prompt_cache_breakpoint") else { return nil }
        return CacheMarker(timeToLive: marker["ttl"]?.string)
    }
}

extension Source {
    fileprivate static func data(_ mediaType: String, _ base64: String) -> Source {
        .data(mediaType: mediaType, base64: base64)
    }
}
