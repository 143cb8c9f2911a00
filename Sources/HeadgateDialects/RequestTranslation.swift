package enum RequestTranslation {
    /// Translates a request to the upstream's format.
    ///
    /// - Parameters:
    ///   - body: The client's request, one JSON object.
    ///   - keepsResponses: Whether the caller stores responses as `store` requests.
    ///   - compaction: Form of a requested compaction; nil rejects such a request. A request for a document need not
    ///     name the compaction.
    package static func translate(
        _ body: [UInt8], from client: ClientFormat, to upstream: WireFormat, for target: TargetTraits,
        keepsResponses: Bool = false, compaction: CompactionForm? = nil
    ) throws(TranslationError) -> TranslatedRequest {
        var body = try JSONObject.request(body)
        if keepsResponses, client == .responses, body["store"] == true { body["store"] = false }
        var losses = Losses(client: client)
        var request = try client.requestReader.read(body, &losses)
        try request.checkToolNames(body.present("functions") == nil ? "tools" : "functions")
        let isSummary = compaction == .document || request.compaction != nil
        if isSummary {
            if compaction == nil, let refusal = request.compaction?.refusal { throw refusal }
            request.becomeSummary()
            if compaction == .document { request.isStream = false }
        }
        // Anthropic reads its own notes.
        if upstream != .messages { request.removeAgentNotes() }
        request.openCallIDs(for: upstream, target, &losses)
        guard request.callCount <= ToolCall.most else {
            throw TranslationError(
                "The conversation has more than \(ToolCall.most) calls of tools, which are not translated: leave "
                    + "older ones out."
            )
        }
        let written = try upstream.requestWriter.write(request, for: target, &losses)
        var context = ResponseContext()
        context.model = request.model
        context.provider = target.provider
        context.asksUsage = request.asksUsage
        context.compaction = isSummary ? compaction : nil
        context.toolNames = written.toolNames
        for case .custom(let name, _, _) in request.tools { context.customTools.insert(name) }
        context.knowsFunctionCalls = client == .chat && body.present("functions") != nil
        if client == .responses { context.echo = ResponsesEcho.members(of: body) }
        return TranslatedRequest(
            body: JSONValue.object(written.body).bytes, dropped: losses.dropped, context: context)
    }
}

extension ClientFormat {
    var requestReader: any RequestReader.Type {
        switch self {
        case .chat: ChatRequestReader.self
        case .messages: MessagesRequestReader.self
        case .responses: ResponsesRequestReader.self
        case .ollamaChat: OllamaChatReader.self
        case .ollamaGenerate: OllamaGenerateReader.self
        }
    }
}

extension WireFormat {
    var requestWriter: any RequestWriter.Type {
        switch self {
        case .chat: ChatRequestWriter.self
        case .messages: MessagesRequestWriter.self
        case .responses: ResponsesRequestWriter.self
        }
    }
}
