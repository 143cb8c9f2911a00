extension ResponsesRequestReader {
    mutating func readReasoning(_ reasoning: JSONObject) throws(TranslationError) {
        var wish = ReasoningWish()
        for member in reasoning.members where !member.value.isNull {
            switch member.name {
            case "effort":
                wish.effort = member.value.string.flatMap(ReasoningWish.Effort.init(rawValue:))
                if wish.effort == nil { losses.drop(.reasoningEffort) }
            // The model decides the length of the summary.
            case "summary", "generate_summary": wish.isShown = member.value != "none"
            case "context" where member.value == "auto", "mode" where member.value == "standard": break
            default: losses.drop(member: "reasoning.\(member.name)")
            }
        }
        if wish != ReasoningWish() { request.reasoning = wish }
    }

    mutating func readText(_ text: JSONObject) throws(TranslationError) {
        for member in text.members where !member.value.isNull {
            switch member.name {
            case "format": request.format = try format(member.value.requireObject("text.format"))
            case "verbosity": request.settings[.verbosity] = member.value
            default: losses.drop(member: "text.\(member.name)")
            }
        }
    }

    private mutating func format(_ format: JSONObject) throws(TranslationError) -> ResponseFormat {
        let path = "text.format"
        switch try format.requireString("type", in: path) {
        case "text": return .text
        case "json_object": return .json
        case "json_schema":
            dropUnknown(of: format, at: path, ["type", "name", "description", "schema", "strict"])
            guard let schema = format.present("schema") else { throw .missing("\(path).schema") }
            return .schema(
                schema, name: try format.string("name", in: path),
                description: try format.string("description", in: path),
                isStrict: try format.present("strict")?.requireBool("\(path).strict"))
        default:
            throw TranslationError(
                "'\(path).type' must be 'text', 'json_object' or 'json_schema' for the upstream of this model.",
                member: "\(path).type")
        }
    }

    mutating func readInclude(_ include: [JSONValue]) throws(TranslationError) {
        // Reasoning always comes with its seal, if the upstream seals it.
        if include.contains(where: { $0 != "reasoning.encrypted_content" }) { losses.drop(member: "include") }
    }
}
