extension ChatRequestReader {
    /// - Parameter content: A string, or the parts of a message.
    mutating func readContent(
        _ content: JSONValue, of role: Message.Role, at path: String
    ) throws(TranslationError) -> [Part] {
        if let text = content.string { return [Part(.text(text))] }
        guard let elements = content.array else { throw .wrongKind(path, "a string or an array of parts") }
        var parts: [Part] = []
        for (index, element) in elements.enumerated() {
            let path = "\(path)[\(index)]"
            let object = try element.requireObject(path)
            let type = try object.requireString("type", in: path)
            let content = try readPart(object, type, of: role, at: path)
            dropUnknown(of: object, at: "messages[].content[]", Self.markers.union(["type", type]))
            parts.append(Part(content, cacheMarker: cacheMarker(object)))
        }
        return parts
    }

    private static let markers: Set<String> = ["prompt_cache_breakpoint", "cache_control"]

    private mutating func readPart(
        _ part: JSONObject, _ type: String, of role: Message.Role, at path: String
    ) throws(TranslationError) -> Content {
        switch (type, role) {
        case ("text", _): return .text(try part.requireString("text", in: path))
        case ("refusal", .assistant): return .refusal(try part.requireString("refusal", in: path))
        case ("image_url", .user), ("image_url", .tool): return try readImage(part, at: "\(path).image_url")
        case ("file", .user), ("file", .tool): return try readFile(part, at: "\(path).file")
        case ("input_audio", _): throw Self.noAudio("\(path).type")
        default:
            throw TranslationError(
                "The upstream of this model takes no part of the type '\(type)' in a message of the role "
                    + "'\(role.rawValue)'.",
                member: "\(path).type")
        }
    }

    private mutating func readImage(_ part: JSONObject, at path: String) throws(TranslationError) -> Content {
        guard let value = part.present("image_url") else { throw .missing(path) }
        // Some clients write the URL where an object belongs.
        if let url = value.string { return .image(try Source(url: url, at: path), detail: nil) }
        let image = try value.requireObject(path)
        dropUnknown(of: image, at: "messages[].content[].image_url", ["url", "detail"])
        let source = try Source(url: image.requireString("url", in: path), at: "\(path).url")
        return .image(source, detail: try image.string("detail", in: path))
    }

    private mutating func readFile(_ part: JSONObject, at path: String) throws(TranslationError) -> Content {
        guard let file = try part.present("file")?.requireObject(path) else { throw .missing(path) }
        dropUnknown(of: file, at: "messages[].content[].file", ["file_data", "file_id", "filename"])
        let name = try file.string("filename", in: path)
        guard let data = try file.string("file_data", in: path) else {
            return .document(.file(id: try file.requireString("file_id", in: path)), name: name)
        }
        let isURL = data.prefix(5).lowercased() == "data:"
        let source = isURL ? try Source(url: data, at: "\(path).file_data") : .data(mediaType: Self.pdf, base64: data)
        return .document(source.withPlainText, name: name)
    }

    /// Media type assumed for bare base64.
    static let pdf = "application/pdf"

    /// Returns OpenAI's own marker, or Anthropic's if there is none.
    func cacheMarker(_ object: JSONObject) -> CacheMarker? {
        guard let marker = object["prompt_cache_breakpoint"]?.object ?? object["cache_control"]?.object else {
            return nil
        }
        return CacheMarker(timeToLive: marker["ttl"]?.string)
    }
}
