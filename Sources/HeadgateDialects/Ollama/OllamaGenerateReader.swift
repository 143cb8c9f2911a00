/// Reads requests to Ollama's `/api/generate`: one prompt, which is the only message of a conversation.
struct OllamaGenerateReader: RequestReader {
    private var reading: OllamaRequestReading

    static func read(_ body: JSONObject, _ losses: inout Losses) throws(TranslationError) -> ModelRequest {
        var reader = OllamaGenerateReader(reading: OllamaRequestReading(losses))
        try reader.read(body)
        losses = reader.reading.losses
        return reader.reading.request
    }

    private mutating func read(_ body: JSONObject) throws(TranslationError) {
        var parts: [Part] = []
        for member in body.members where !member.value.isNull {
            let (name, value) = (member.name, member.value)
            switch name {
            case "system":
                let text = try value.requireString(name)
                if !text.isEmpty { reading.request.messages.append(Message(.system, [Part(.text(text))])) }
            case "prompt":
                let text = try value.requireString(name)
                if !text.isEmpty { parts.insert(Part(.text(text)), at: 0) }
            case "images": parts += try reading.images(value, at: name)
            case "raw": if try value.requireBool(name) { throw Self.noCompletion(name) }
            case "suffix": if try !value.requireString(name).isEmpty { throw Self.noCompletion(name) }
            case "context":
                guard try value.requireArray(name).isEmpty else {
                    throw TranslationError(
                        "'context' is what Ollama itself gave out, and says nothing to the upstream of this model: "
                            + "send the conversation to /api/chat.", member: name)
                }
            case "template": if value != "" { reading.losses.drop(member: name) }
            default: if try !reading.read(name, value) { reading.losses.drop(member: name) }
            }
        }
        reading.request.messages.append(Message(.user, parts))
    }

    private static func noCompletion(_ member: String) -> TranslationError {
        TranslationError(
            "The upstream of this model answers prompts as messages and does not continue texts: leave '\(member)' "
                + "out, or use /v1/completions.", member: member)
    }
}
