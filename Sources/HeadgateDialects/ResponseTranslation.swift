package enum ResponseTranslation {
    /// - Throws: ``ResponseFault`` if the document is not a response, or cannot be translated.
    package static func translate(
        _ document: [UInt8], from upstream: WireFormat, to client: ClientFormat, _ context: ResponseContext
    ) throws(ResponseFault) -> (bytes: [UInt8], response: ModelResponse) {
        guard let object = (try? JSONValue(document))?.object else { throw .unexpected }
        var response = try upstream.responseReader.read(object).sealed(by: context.provider)
        if context.compaction != nil { try response.becomeSummary() }
        var written = client.responseWriter.write(response, context)
        if context.compaction == .document {
            written = JSONObject(written.members.filter { ["id", "created_at", "output", "usage"].contains($0.name) })
            written["object"] = "response.compaction"
        }
        return (JSONValue.object(written).bytes, response)
    }
}

extension WireFormat {
    var responseReader: any ResponseReader.Type {
        switch self {
        case .chat: ChatResponseReader.self
        case .messages: MessagesResponseReader.self
        case .responses: ResponsesResponseReader.self
        }
    }
}

extension ClientFormat {
    fileprivate var responseWriter: any ResponseWriter.Type {
        switch self {
        case .chat: ChatResponseWriter.self
        case .messages: MessagesResponseWriter.self
        case .responses: ResponsesResponseWriter.self
        case .ollamaChat: OllamaResponseWriter<OllamaChatForm>.self
        case .ollamaGenerate: OllamaResponseWriter<OllamaGenerateForm>.self
        }
    }
}
