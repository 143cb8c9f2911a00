/// Reads requests of OpenAI's Responses API, as its clients and agents send them.
///
/// The request must contain the whole conversation, because the formats of translated requests have no stored state.
struct ResponsesRequestReader: RequestReader {
    var losses: Losses
    var request = ModelRequest()
    var names: ResponsesNamespaces
    var conversation = ResponsesConversation()

    static func read(_ body: JSONObject, _ losses: inout Losses) throws(TranslationError) -> ModelRequest {
        var reader = ResponsesRequestReader(losses: losses, names: ResponsesNamespaces(of: body["tools"]?.array ?? []))
        try reader.read(body)
        losses = reader.losses
        return reader.request
    }

    private mutating func read(_ body: JSONObject) throws(TranslationError) {
        try refuseKeptState(body)
        guard let input = body.present("input") else { throw .missing("input") }
        if let instructions = try body.present("instructions")?.requireString("instructions"), !instructions.isEmpty {
            conversation.add(Message(.system, [Part(.text(instructions))]))
        }
        try readInput(input)
        for member in body.members where !member.value.isNull { try read(member.name, member.value) }
        request.messages = conversation.messages(&losses)
        try request.checkToolChoice("tool_choice")
    }

    private mutating func read(_ name: String, _ value: JSONValue) throws(TranslationError) {
        switch name {
        case "input", "instructions": break
        case "model": request.model = try value.requireString(name)
        case "stream": request.isStream = try value.requireBool(name)
        case "tools": try readTools(value.requireArray(name), at: name)
        case "tool_choice": request.toolChoice = try toolChoice(value)
        case "parallel_tool_calls": request.allowsParallelCalls = try value.requireBool(name)
        case "max_output_tokens": request.maximumTokens = try value.requireInteger(name)
        case "reasoning": try readReasoning(value.requireObject(name))
        case "text": try readText(value.requireObject(name))
        case "include": try readInclude(value.requireArray(name))
        case "stream_options":
            // Padding that hides the length of a token. Streams that the gateway writes have none.
            dropUnknown(of: try value.requireObject(name), at: name, [])
        case "truncation": if value != "disabled" { losses.drop(member: name) }
        // A response in the neutral format has no place for log probabilities.
        case "top_logprobs": if value != 0 { losses.drop(.topLogprobs) }
        case "background", "store": break
        default: keep(name, value)
        }
    }

    private mutating func keep(_ name: String, _ value: JSONValue) {
        guard !value.saysNothing else { return }
        guard let feature = Self.settings[name] else { return losses.drop(member: name) }
        request.settings[feature] = value
    }

    private static let settings: [String: Feature] = {
        let features: [Feature] = [
            .temperature, .topP, .user, .safetyIdentifier, .metadata, .serviceTier, .promptCacheKey,
            .promptCacheOptions, .promptCacheRetention,
        ]
        return Dictionary(uniqueKeysWithValues: features.map { ($0.name(in: .responses), $0) })
    }()

    /// Rejects members that refer to state stored at the provider.
    private func refuseKeptState(_ body: JSONObject) throws(TranslationError) {
        for name in ["previous_response_id", "conversation"] where body.present(name) != nil {
            throw TranslationError(
                "The upstream of this model keeps nothing, and of what the gateway keeps '\(name)' names nothing: send "
                    + "the whole conversation in 'input', without '\(name)'. With 'responses: {store: 1d}' in its "
                    + "configuration the gateway keeps responses and conversations of all models.",
                member: name)
        }
        if body.present("prompt") != nil {
            throw TranslationError(
                "The upstream of this model has no prompt templates: write the prompt into 'instructions' and 'input'.",
                member: "prompt")
        }
        if try body.present("background")?.requireBool("background") == true {
            throw TranslationError(
                "Responses of this model cannot be made in the background: leave 'background' out, and set 'stream' "
                    + "for a response that takes long.",
                member: "background")
        }
        if try body.present("store")?.requireBool("store") == true {
            throw TranslationError(
                "No responses are kept for this model: leave 'store' out, or set it to false. With "
                    + "'responses: {store: 1d}' in its configuration the gateway keeps them.",
                member: "store")
        }
    }
}

extension ResponsesRequestReader {
    /// Drops the members of an object that are neither known nor empty, and records their names as losses.
    ///
    /// - Parameter path: The object's path, with `[]` for each element of an array.
    mutating func dropUnknown(of object: JSONObject, at path: String, _ known: Set<String>) {
        for member in object.members where !known.contains(member.name) && !member.value.saysNothing {
            losses.drop(member: "\(path).\(member.name)")
        }
    }
}

extension JSONValue {
    /// Whether a member with this value means the same as no member.
    fileprivate var saysNothing: Bool {
        switch self {
        case .null, .bool(false): true
        case .array(let elements): elements.isEmpty
        case .object(let object): object.members.isEmpty
        case .bool(true), .number, .string: false
        }
    }
}
