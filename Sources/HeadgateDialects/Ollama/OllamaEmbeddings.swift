/// The two forms of an embeddings request in Ollama's API, and of its response.
package enum OllamaEmbeddingForm: Sendable {
    /// `/api/embed`, with one text or several in `input`, and `embeddings` in the response.
    case list
    /// The older `/api/embeddings`, with one `prompt`, and `embedding` in the response.
    case single
}

/// Translates Ollama's embeddings requests to OpenAI's, and the responses back.
package enum EmbeddingTranslation {
    private static let limits = "options"

    /// Translates a request.
    ///
    /// - Parameters:
    ///   - body: The client's request, one JSON object.
    ///   - model: The upstream's name for the model.
    package static func request(
        _ body: [UInt8], in form: OllamaEmbeddingForm, model: String
    ) throws(TranslationError) -> TranslatedRequest {
        let body = try JSONObject.request(body)
        let text = form == .list ? "input" : "prompt"
        var losses = Losses(client: .ollamaChat)
        var written: JSONObject = ["model": .string(model)]
        var context = ResponseContext()
        for member in body.members where !member.value.isNull {
            switch member.name {
            case "model": context.model = try member.value.requireString("model")
            case text: written["input"] = try input(member.value, at: text, in: form)
            case "dimensions" where form == .list: written["dimensions"] = member.value
            // The upstream decides how long to keep models loaded, and rejects texts that are too long.
            case "keep_alive": continue
            case "truncate" where member.value == false: continue
            case limits:
                for option in try member.value.requireObject(limits).members where !option.value.isNull {
                    losses.drop(member: "\(limits).\(option.name)")
                }
            default: losses.drop(member: member.name)
            }
        }
        // A request without input only loads the model, so its response needs no upstream.
        if written["input"] == nil { written["input"] = [] }
        written["encoding_format"] = "float"
        return TranslatedRequest(body: JSONValue.object(written).bytes, dropped: losses.dropped, context: context)
    }

    private static func input(
        _ value: JSONValue, at path: String, in form: OllamaEmbeddingForm
    ) throws(TranslationError) -> JSONValue {
        guard form == .list, let texts = value.array else { return .string(try value.requireString(path)) }
        for (index, text) in texts.enumerated() { _ = try text.requireString("\(path)[\(index)]") }
        return value
    }

    /// - Parameter document: A list of embeddings in OpenAI's format.
    package static func response(
        _ document: [UInt8], in form: OllamaEmbeddingForm, _ context: ResponseContext
    ) throws(ResponseFault) -> [UInt8] {
        guard let object = (try? JSONValue(document))?.object, let data = object["data"]?.array else {
            throw .unexpected
        }
        var embeddings = [JSONValue?](repeating: nil, count: data.count)
        for (place, element) in data.enumerated() {
            let index = element["index"]?.integer ?? place
            guard embeddings.indices.contains(index), embeddings[index] == nil,
                let vector = vector(element["embedding"])
            else { throw .unexpected }
            embeddings[index] = vector
        }
        let found = embeddings.compactMap { $0 }
        var response = JSONObject()
        switch form {
        case .single:
            guard let first = found.first else { throw .unexpected }
            response.append("embedding", first)
        case .list:
            response.append("model", .string(context.model))
            response.append("embeddings", .array(found))
            response.append("total_duration", .number("\(max(context.clock.now() - context.clock.startedAt, 1))"))
            response.append("load_duration", 0)
            if let count = object["usage"]?["prompt_tokens"]?.tokenCount {
                response.append("prompt_eval_count", .integer(count))
            }
        }
        return JSONValue.object(response).bytes
    }

    /// Returns the vector as numbers. Some upstreams send base64 although numbers were requested.
    private static func vector(_ embedding: JSONValue?) -> JSONValue? {
        switch embedding {
        case .array: embedding
        case .string(let base64):
            EmbeddingEncoding.numbers(in: base64).map { .array($0.map { .number($0.description) }) }
        default: nil
        }
    }
}
