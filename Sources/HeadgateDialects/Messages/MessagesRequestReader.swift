enum MessagesRequestReader: RequestReader {
    static func read(_ body: JSONObject, _ losses: inout Losses) throws(TranslationError) -> ModelRequest {
        var draft = MessagesRequestReading(body, losses)
        try draft.read()
        losses = draft.losses
        return draft.request
    }
}

/// State while a request in this format is read.
struct MessagesRequestReading {
    let body: JSONObject
    var losses: Losses
    var request = ModelRequest()

    init(_ body: JSONObject, _ losses: Losses) {
        self.body = body
        self.losses = losses
    }

    mutating func read() throws(TranslationError) {
        guard let model = body.present("model") else { throw .missing("model") }
        request.model = try model.requireString("model")
        guard let messages = body.present("messages") else { throw .missing("messages") }
        try readSystem()
        try read(messages: try messages.requireArray("messages"))
        try readTools()
        try readToolChoice()
        try readReasoning()
        try readFormat()
        for member in body.members where !member.value.isNull { try read(member.name, member.value) }
    }

    /// Reads one member. Members that are read elsewhere are listed too, so that none is lost silently.
    private mutating func read(_ name: String, _ value: JSONValue) throws(TranslationError) {
        switch name {
        case "model", "messages", "system", "tools", "tool_choice", "thinking", "output_config", "output_format": break
        case "stream": request.isStream = try value.requireBool(name)
        case "max_tokens": request.maximumTokens = try value.requireInteger(name)
        case "stop_sequences":
            request.stopSequences = []
            for (index, element) in try value.requireArray(name).enumerated() {
                request.stopSequences.append(try element.requireString("\(name)[\(index)]"))
            }
        case "temperature": request.settings[.temperature] = value
        case "top_p": request.settings[.topP] = value
        case "top_k": request.settings[.topK] = value
        case "speed": if value != "standard" { request.settings[.speed] = value }
        case "service_tier": request.settings[.serviceTier] = value == "standard_only" ? "default" : value
        case "metadata": readMetadata(try value.requireObject(name))
        case "cache_control": markEnd(cacheMarker(value))
        case "thread": try readThread(value)
        case "compaction": try readCompaction(value)
        default: losses.drop(member: name)
        }
    }

    private mutating func readCompaction(_ value: JSONValue) throws(TranslationError) {
        let members = try value.requireObject("compaction")
        guard try members.requireString("type", in: "compaction") == "summarize" else {
            throw TranslationError("'compaction.type' must be 'summarize'.", member: "compaction.type")
        }
        let instructions = try members.string("instructions", in: "compaction")
        request.compaction = CompactionWish(
            instructions: instructions?.contains { !$0.isWhitespace } == true ? instructions : nil,
            refusal: .historyElsewhere("compaction", in: .messages))
    }

    /// Reads a thread. A new one needs nothing from the upstream, but the history of a continued one is at the
    /// provider.
    private mutating func readThread(_ thread: JSONValue) throws(TranslationError) {
        let members = try thread.requireObject("thread")
        guard members.present("previous_message_id") == nil, members["type"] == "create" else {
            throw .historyElsewhere("thread", in: .messages)
        }
        losses.drop(member: "thread")
    }

    private mutating func readMetadata(_ metadata: JSONObject) {
        for member in metadata.members where !member.value.isNull {
            if member.name == "user_id" {
                request.settings[.user] = member.value
            } else {
                losses.drop(member: "metadata.\(member.name)")
            }
        }
    }

    /// Moves a marker of the whole request to its last part.
    private mutating func markEnd(_ marker: CacheMarker?) {
        guard let turn = request.messages.indices.last, let part = request.messages[turn].parts.indices.last,
            request.messages[turn].parts[part].cacheMarker == nil
        else { return }
        request.messages[turn].parts[part].cacheMarker = marker
    }

    func cacheMarker(_ control: JSONValue?) -> CacheMarker? {
        guard let control, control.object != nil else { return nil }
        return CacheMarker(timeToLive: control["ttl"]?.string)
    }

    /// Drops the members of an object that are neither known nor null, and records their names as losses.
    ///
    /// - Parameter known: Members that are read elsewhere or have no meaning.
    mutating func dropOthers(of object: JSONObject, than known: Set<String>, at path: String) {
        for member in object.members where !known.contains(member.name) && !member.value.isNull {
            losses.drop(member: "\(path).\(member.name)")
        }
    }
}
