extension MessagesRequestReading {
    typealias PlacedBlock = (block: JSONObject, type: String, path: String)

    /// Returns content as blocks; a string becomes one text block.
    func blocks(_ content: JSONValue, at path: String) throws(TranslationError) -> [PlacedBlock] {
        if let text = content.string { return [(["type": "text", "text": .string(text)], "text", path)] }
        guard let elements = content.array else { throw .wrongKind(path, "a string or an array of blocks") }
        var blocks: [PlacedBlock] = []
        for (index, element) in elements.enumerated() {
            let place = "\(path)[\(index)]"
            let block = try element.requireObject(place)
            blocks.append((block, try block.requireString("type", in: place), place))
        }
        return blocks
    }

    /// Reads a block that is allowed in a user turn and in a tool result; nil for every other type.
    mutating func userParts(
        _ block: JSONObject, _ type: String, at path: String
    ) throws(TranslationError) -> [Part]? {
        let marker = cacheMarker(block["cache_control"])
        switch type {
        case "text": return [try text(block, at: path)]
        case "image":
            dropOthers(of: block, than: ["type", "source", "cache_control"], at: "messages[].content[]")
            return [Part(.image(try imageSource(block, at: path), detail: nil), cacheMarker: marker)]
        case "document":
            dropCitations(of: block)
            dropOthers(
                of: block, than: ["type", "source", "title", "citations", "cache_control"], at: "messages[].content[]")
            let name = try block.string("title", in: path)
            return [Part(.document(try documentSource(block, at: path), name: name), cacheMarker: marker)]
        case "search_result":
            dropCitations(of: block)
            dropOthers(
                of: block, than: ["type", "source", "title", "content", "citations", "cache_control"],
                at: "messages[].content[]")
            return [Part(.text(try searchResult(block, at: path)), cacheMarker: marker)]
        default: return nil
        }
    }

    mutating func text(_ block: JSONObject, at path: String) throws(TranslationError) -> Part {
        if block["citations"]?.array?.isEmpty == false { losses.drop(member: "messages[].content[].citations") }
        dropOthers(of: block, than: ["type", "text", "citations", "cache_control"], at: "messages[].content[]")
        return Part(
            .text(try block.requireString("text", in: path)), cacheMarker: cacheMarker(block["cache_control"]))
    }

    func refusal(of type: String, in place: String, at path: String) -> TranslationError {
        TranslationError(
            "'\(path).type' is '\(type)', which cannot be translated in \(place): leave it out, or use a model whose "
                + "upstream speaks \(WireFormat.messages.title).", member: "\(path).type")
    }

    private mutating func dropCitations(of block: JSONObject) {
        if block["citations"]?["enabled"] == true { losses.drop(member: "messages[].content[].citations") }
    }

    private func imageSource(_ block: JSONObject, at path: String) throws(TranslationError) -> Source {
        let path = "\(path).source"
        guard let source = try block.present("source")?.requireObject(path) else { throw .missing(path) }
        switch try source.requireString("type", in: path) {
        case "base64": return try data(source, at: path)
        case "url": return try Source(url: source.requireString("url", in: path), at: "\(path).url")
        case "file": return .file(id: try source.requireString("file_id", in: path))
        case let type: throw refusal(of: type, in: "images", at: path)
        }
    }

    private mutating func documentSource(_ block: JSONObject, at path: String) throws(TranslationError) -> Source {
        let path = "\(path).source"
        guard let source = try block.present("source")?.requireObject(path) else { throw .missing(path) }
        switch try source.requireString("type", in: path) {
        case "base64": return try data(source, at: path)
        case "text": return .text(try source.requireString("data", in: path))
        case "url": return try Source(url: source.requireString("url", in: path), at: "\(path).url")
        case "file": return .file(id: try source.requireString("file_id", in: path))
        case "content":
            guard let content = source.present("content") else { throw .missing("\(path).content") }
            return .text(try texts(content, at: "\(path).content"))
        case let type: throw refusal(of: type, in: "documents", at: path)
        }
    }

    private func data(_ source: JSONObject, at path: String) throws(TranslationError) -> Source {
        let mediaType = try source.requireString("media_type", in: path)
        guard Source.isMediaType(mediaType) else {
            let path = "\(path).media_type"
            throw TranslationError("'\(path)' is no media type, such as image/png.", member: path)
        }
        return .data(mediaType: mediaType, base64: try source.requireString("data", in: path))
    }

    /// Returns the blocks' texts, joined with line breaks.
    private mutating func texts(_ content: JSONValue, at path: String) throws(TranslationError) -> String {
        var texts: [String] = []
        for (block, type, path) in try blocks(content, at: path) {
            guard type == "text" else {
                throw refusal(of: type, in: "documents of blocks and in search results", at: path)
            }
            if case .text(let text) = try text(block, at: path).content { texts.append(text) }
        }
        return texts.joined(separator: "\n")
    }

    /// Returns a search result as text: its title, its source, and its content.
    private mutating func searchResult(_ block: JSONObject, at path: String) throws(TranslationError) -> String {
        let title = try block.string("title", in: path) ?? ""
        let source = try block.string("source", in: path) ?? ""
        guard let content = block.present("content") else { throw .missing("\(path).content") }
        let text = try texts(content, at: "\(path).content")
        return [title, source, text].filter { !$0.isEmpty }.joined(separator: "\n")
    }
}
