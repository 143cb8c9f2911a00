/// Reads the members that requests to `/api/chat` and `/api/generate` have in common.
struct OllamaRequestReading {
    var losses: Losses
    var request = ModelRequest()

    init(_ losses: Losses) {
        self.losses = losses
        request.isStream = true
    }

    /// - Returns: False if the member is not one that both requests have.
    mutating func read(_ name: String, _ value: JSONValue) throws(TranslationError) -> Bool {
        switch name {
        case "model": request.model = try value.requireString(name)
        case "stream": request.isStream = try value.requireBool(name)
        case "options": try readOptions(value.requireObject(name))
        case "format": try readFormat(value)
        case "think": try readThinking(value)
        // The upstream decides how long to keep models loaded.
        case "keep_alive": break
        case "logprobs": if value != false { losses.drop(.logprobs) }
        case "top_logprobs": if value != 0 { losses.drop(.topLogprobs) }
        default: return false
        }
        return true
    }

    private mutating func readOptions(_ options: JSONObject) throws(TranslationError) {
        for member in options.members where !member.value.isNull {
            let path = "options.\(member.name)"
            switch member.name {
            case "num_predict":
                // A value below 1 means no limit.
                let limit = try member.value.requireInteger(path)
                if limit > 0 { request.maximumTokens = limit }
            case "stop": request.stopSequences = try stopSequences(member.value)
            case "presence_penalty", "frequency_penalty":
                if member.value.double != 0 { keep(member, at: path) }
            default: keep(member, at: path)
            }
        }
    }

    private mutating func keep(_ member: JSONObject.Member, at path: String) {
        guard let feature = Self.settings[path] else { return losses.drop(member: path) }
        request.settings[feature] = member.value
    }

    private static let settings: [String: Feature] = {
        let features: [Feature] = [.temperature, .topP, .topK, .seed, .presencePenalty, .frequencyPenalty]
        return Dictionary(uniqueKeysWithValues: features.map { ($0.name(in: .ollamaChat), $0) })
    }()

    private func stopSequences(_ value: JSONValue) throws(TranslationError) -> [String] {
        if let one = value.string { return one.isEmpty ? [] : [one] }
        var sequences: [String] = []
        for (index, element) in try value.requireArray("options.stop").enumerated() {
            sequences.append(try element.requireString("options.stop[\(index)]"))
        }
        return sequences
    }

    /// Reads the format. Ollama enforces a schema by a grammar, in which objects have only the members that the schema
    /// names.
    private mutating func readFormat(_ value: JSONValue) throws(TranslationError) {
        switch value {
        case "": return
        case "json": request.format = .json
        case .object:
            let schema = StrictSchema.closed(value)
            let isStrict = StrictSchema.fits(schema)
            // The format is still described to the model, but not enforced.
            if !isStrict { losses.drop(.responseFormat) }
            request.format = .schema(schema, name: nil, description: nil, isStrict: isStrict)
        default: throw .wrongKind("format", "\"json\" or a JSON Schema")
        }
    }

    private mutating func readThinking(_ value: JSONValue) throws(TranslationError) {
        var wish = ReasoningWish(isShown: true)
        wish.isShownIfPossible = true
        switch value {
        case true: wish.effort = .medium
        case false: wish = ReasoningWish(effort: ReasoningWish.Effort.none)
        case .string(let level):
            guard let effort = ReasoningWish.Effort(rawValue: level) else {
                throw .wrongKind("think", "true, false, \"low\", \"medium\", \"high\" or \"max\"")
            }
            if effort == .none { wish = ReasoningWish() }
            wish.effort = effort
        default: throw .wrongKind("think", "true, false, \"low\", \"medium\", \"high\" or \"max\"")
        }
        request.reasoning = wish
    }

    // MARK: Images

    /// - Parameter value: An array of images in base64.
    func images(_ value: JSONValue, at path: String) throws(TranslationError) -> [Part] {
        var parts: [Part] = []
        for (index, element) in try value.requireArray(path).enumerated() {
            let path = "\(path)[\(index)]"
            guard let source = Self.source(try element.requireString(path)) else {
                throw TranslationError(
                    "'\(path)' is no PNG, JPEG, GIF or WebP in base64.", member: path)
            }
            parts.append(Part(.image(source, detail: nil)))
        }
        return parts
    }

    /// Returns the source of a base64 image, whose first characters determine its media type. Some clients send a data
    /// URL.
    private static func source(_ image: String) -> Source? {
        if image.prefix(5).lowercased() == "data:" { return Source(url: image) }
        let known = signatures.first { image.utf8.starts(with: $0.start.utf8) }
        return known.map { .data(mediaType: $0.mediaType, base64: image) }
    }

    private static let signatures: [(start: String, mediaType: String)] = [
        ("iVBORw0KGgo", "image/png"), ("/9j/", "image/jpeg"), ("R0lGOD", "image/gif"), ("UklGR", "image/webp"),
    ]

    // MARK: Unknown members

    /// Drops the members of an object that are neither known nor empty, and records their names as losses.
    ///
    /// - Parameter path: The object's path, with `[]` for each element of an array.
    mutating func dropOthers(of object: JSONObject, than known: Set<String>, at path: String) {
        for member in object.members where !known.contains(member.name) && !member.value.isNull {
            if let array = member.value.array, array.isEmpty { continue }
            losses.drop(member: "\(path).\(member.name)")
        }
    }
}
