extension MessagesRequestReading {
    /// Reads `thinking` and `output_config.effort`, which are one setting in other formats.
    mutating func readReasoning() throws(TranslationError) {
        var wish: ReasoningWish?
        if let effort = try output()?.string("effort", in: "output_config") {
            if let effort = ReasoningWish.Effort(rawValue: effort), effort != .none {
                wish = ReasoningWish(effort: effort)
            } else {
                losses.drop(.reasoningEffort)
            }
        }
        if let thinking = try body.present("thinking")?.requireObject("thinking") {
            let type = try thinking.requireString("type", in: "thinking")
            wish = try wished(type, thinking, wish)
            var known: Set = ["type", "display"]
            if type == "enabled" { known.insert("budget_tokens") }
            dropOthers(of: thinking, than: known, at: "thinking")
        }
        request.reasoning = wish
    }

    private mutating func wished(
        _ type: String, _ thinking: JSONObject, _ wish: ReasoningWish?
    ) throws(TranslationError) -> ReasoningWish? {
        var wish = wish ?? ReasoningWish()
        switch type {
        case "disabled":
            if wish.effort != nil { losses.drop(.reasoningEffort) }
            return ReasoningWish(effort: ReasoningWish.Effort.none)
        case "adaptive": break
        case "enabled":
            wish.budget = try thinking.present("budget_tokens")?.requireInteger("thinking.budget_tokens")
        default:
            // An unknown type, such as `between_tools`, still asks for thinking; only its place is lost.
            losses.drop(member: "thinking.type")
        }
        switch thinking["display"] {
        case nil, .null?: break
        case "summarized"?: wish.isShown = true
        case "omitted"?: wish.isShown = false
        default: losses.drop(.reasoningDisplay)
        }
        return wish
    }

    mutating func readFormat() throws(TranslationError) {
        let output = try output() ?? [:]
        dropOthers(of: output, than: ["effort", "format"], at: "output_config")
        // `output_format` is the earlier name.
        let path = output.present("format") == nil ? "output_format" : "output_config.format"
        guard let format = try (output.present("format") ?? body.present("output_format"))?.requireObject(path)
        else { return }
        let type = try format.requireString("type", in: path)
        guard type == "json_schema" else {
            throw TranslationError("'\(path).type' is '\(type)': it must be 'json_schema'.", member: "\(path).type")
        }
        guard let schema = format.present("schema") else { throw .missing("\(path).schema") }
        let isStrict = StrictSchema.fits(schema)
        // The format is still described to the model, but not enforced.
        if !isStrict { losses.drop(.responseFormat) }
        request.format = .schema(schema, name: nil, description: nil, isStrict: isStrict)
        dropOthers(of: format, than: ["type", "schema"], at: path)
    }

    private func output() throws(TranslationError) -> JSONObject? {
        try body.present("output_config")?.requireObject("output_config")
    }
}
