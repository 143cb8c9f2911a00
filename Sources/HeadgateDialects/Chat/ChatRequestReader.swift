/// Reads chat completion requests of OpenAI's clients and of clients that imitate them.
struct ChatRequestReader: RequestReader {
    var losses: Losses
    var request = ModelRequest()
    /// Ids of the calls so far that called a tool with free-text input.
    var customCalls: Set<String> = []
    /// Calls so far without ids and without a result.
    var legacyCalls: [(name: String, id: String)] = []

    static func read(_ body: JSONObject, _ losses: inout Losses) throws(TranslationError) -> ModelRequest {
        var reader = ChatRequestReader(losses: losses)
        try reader.read(body)
        losses = reader.losses
        return reader.request
    }

    private mutating func read(_ body: JSONObject) throws(TranslationError) {
        guard body.present("messages") != nil else { throw .missing("messages") }
        request.asksUsage = false
        for member in body.members where !member.value.isNull { try read(member.name, member.value) }
        if body.present("max_tokens") != nil, body.present("max_completion_tokens") != nil,
            body["max_tokens"] != body["max_completion_tokens"]
        {
            losses.drop(member: "max_tokens")
        }
        try request.checkToolChoice(body.present("tool_choice") == nil ? "function_call" : "tool_choice")
    }

    private mutating func read(_ name: String, _ value: JSONValue) throws(TranslationError) {
        switch name {
        case "model": request.model = try value.requireString(name)
        case "stream": request.isStream = try value.requireBool(name)
        case "stream_options": try readStreamOptions(value.requireObject(name))
        case "messages": try readMessages(value.requireArray(name))
        case "tools": try readTools(value.requireArray(name))
        case "functions": try readFunctions(value.requireArray(name))
        case "tool_choice": request.toolChoice = try toolChoice(value)
        case "function_call": request.toolChoice = try legacyChoice(value)
        case "parallel_tool_calls": request.allowsParallelCalls = try value.requireBool(name)
        case "max_completion_tokens", "max_tokens":
            let number = try value.requireInteger(name)
            // Servers of open models accept -1 for no limit.
            let isRead = name == "max_tokens" && request.maximumTokens != nil
            if number != -1, !isRead { request.maximumTokens = number }
        case "stop": request.stopSequences = try stopSequences(value)
        case "response_format": request.format = try responseFormat(value.requireObject(name))
        case "reasoning_effort": readEffort(value)
        case "n": try readChoices(value)
        case "audio": throw Self.noAudio(name)
        case "modalities": try readModalities(value.requireArray(name))
        case "web_search_options": losses.drop(.hostedTools)
        // A response in the neutral format has no place for log probabilities.
        case "logprobs": if value != false { losses.drop(.logprobs) }
        case "top_logprobs": if value != 0 { losses.drop(.topLogprobs) }
        case "presence_penalty", "frequency_penalty": if value.double != 0 { keep(name, value) }
        case "logit_bias": if value.object?.members.isEmpty != true { keep(name, value) }
        default: keep(name, value)
        }
    }

    private mutating func keep(_ name: String, _ value: JSONValue) {
        guard let feature = Self.settings[name] else { return losses.drop(member: name) }
        request.settings[feature] = value
    }

    private static let settings: [String: Feature] = {
        let features: [Feature] = [
            .temperature, .topP, .seed, .presencePenalty, .frequencyPenalty, .logitBias, .user, .safetyIdentifier,
            .metadata, .serviceTier, .store, .verbosity, .promptCacheKey, .promptCacheOptions, .promptCacheRetention,
        ]
        return Dictionary(uniqueKeysWithValues: features.map { ($0.name(in: .chat), $0) })
    }()

    private mutating func readStreamOptions(_ options: JSONObject) throws(TranslationError) {
        for member in options.members where !member.value.isNull {
            switch member.name {
            case "include_usage":
                request.asksUsage = try member.value.requireBool("stream_options.include_usage")
            // Padding that hides the length of a token. Streams that the gateway writes have none.
            case "include_obfuscation": if member.value != false { dropStreamOption(member.name) }
            default: dropStreamOption(member.name)
            }
        }
    }

    private mutating func dropStreamOption(_ name: String) { losses.drop(member: "stream_options.\(name)") }

    private func stopSequences(_ value: JSONValue) throws(TranslationError) -> [String] {
        if let one = value.string { return [one] }
        var sequences: [String] = []
        for (index, element) in try value.requireArray("stop").enumerated() {
            sequences.append(try element.requireString("stop[\(index)]"))
        }
        return sequences
    }

    private mutating func responseFormat(_ format: JSONObject) throws(TranslationError) -> ResponseFormat {
        switch try format.requireString("type", in: "response_format") {
        case "text": return .text
        case "json_object": return .json
        case "json_schema":
            let path = "response_format.json_schema"
            guard let schema = try format["json_schema"]?.requireObject(path) else { throw .missing(path) }
            dropUnknown(of: schema, at: path, ["name", "description", "schema", "strict"])
            guard let document = schema.present("schema") else { return .json }
            return .schema(
                document, name: try schema.string("name", in: path),
                description: try schema.string("description", in: path),
                isStrict: try schema.present("strict")?.requireBool("\(path).strict"))
        default:
            throw TranslationError(
                "'response_format.type' must be 'text', 'json_object' or 'json_schema' for the upstream of this model.",
                member: "response_format.type")
        }
    }

    private mutating func readEffort(_ value: JSONValue) {
        guard let effort = value.string.flatMap(ReasoningWish.Effort.init(rawValue:)) else {
            return losses.drop(.reasoningEffort)
        }
        request.reasoning = ReasoningWish(effort: effort)
    }

    private func readChoices(_ value: JSONValue) throws(TranslationError) {
        guard try value.requireInteger("n") == 1 else {
            throw TranslationError(
                "The upstream of this model makes one choice for each request: leave 'n' out, or send the request "
                    + "several times.",
                member: "n")
        }
    }

    private func readModalities(_ modalities: [JSONValue]) throws(TranslationError) {
        guard modalities.allSatisfy({ $0 == "text" }) else { throw Self.noAudio("modalities") }
    }

    static func noAudio(_ member: String) -> TranslationError {
        TranslationError(
            "The upstream of this model takes and makes no audio: leave '\(member)' out, or name another model.",
            member: member)
    }

    /// Drops the members of an object that are neither known nor empty, and records their names as losses.
    ///
    /// - Parameter path: The object's path, with `[]` for each element of an array.
    mutating func dropUnknown(of object: JSONObject, at path: String, _ known: Set<String>) {
        for member in object.members where !known.contains(member.name) && !member.value.isNull {
            if let array = member.value.array, array.isEmpty { continue }
            losses.drop(member: "\(path).\(member.name)")
        }
    }
}
