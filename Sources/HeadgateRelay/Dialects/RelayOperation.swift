internal import HeadgateContract
package import HeadgateDialects

/// Kind of request that is relayed: the members that are read, its path upstream, and the kind of its response.
package struct RelayOperation: Sendable {
    package enum Response: Sendable {
        /// A document; with `stream: true`, chunks with choices and `[DONE]`.
        case choices
        /// A document; with `stream: true`, events named by their type.
        case typed(TypedStreamShape)
        /// A document, never a stream.
        case document
        /// Bytes of some media type.
        case media
        /// A document, text, or events named by their type, as the upstream sends it.
        case anything(TypedStreamShape)
    }

    package let id: String
    package let dialect: Dialect
    /// Path after the upstream's prefix.
    let path: String
    package let shape: RequestShape
    let response: Response
    /// Whether upstreams that cannot compact summarize instead. Only for the operation that compacts.
    var summarizes = false

    static let createChatCompletion = RelayOperation(
        id: OperationTable.createChatCompletion.id, dialect: .openAI, path: "/chat/completions", shape: .chat,
        response: .choices
    )

    static let createCompletion = RelayOperation(
        id: OperationTable.createCompletion.id, dialect: .openAI, path: "/completions",
        shape: RequestShape(
            countsChoices: true, asksUsage: true, tokenLimits: ["max_tokens"], answerCount: "best_of",
            listsPrompts: true, hasTiers: true), response: .choices)

    static let createEmbedding = RelayOperation(
        id: OperationTable.createEmbedding.id, dialect: .openAI, path: "/embeddings",
        shape: RequestShape(streams: .ignored, encodesVectors: true),
        response: .document)

    static let createModeration = RelayOperation(
        id: OperationTable.createModeration.id, dialect: .openAI, path: "/moderations",
        shape: RequestShape(streams: .ignored),
        response: .document)

    static let createImage = RelayOperation(
        id: OperationTable.createImage.id, dialect: .openAI, path: "/images/generations",
        shape: RequestShape(answerCount: "n", streams: .refused), response: .document)

    static let createSpeech = RelayOperation(
        id: OperationTable.createSpeech.id, dialect: .openAI, path: "/audio/speech",
        shape: RequestShape(streams: .refusedByFormat), response: .media)

    static let createTranscription = RelayOperation(
        id: OperationTable.createTranscription.id, dialect: .openAI, path: "/audio/transcriptions", shape: .form,
        response: .anything(.transcription))

    static let createTranslation = RelayOperation(
        id: OperationTable.createTranslation.id, dialect: .openAI, path: "/audio/translations", shape: .form,
        response: .anything(.transcription))

    static let createImageEdit = RelayOperation(
        id: OperationTable.createImageEdit.id, dialect: .openAI, path: "/images/edits", shape: .form,
        response: .anything(.imageEdit))

    static let createImageVariation = RelayOperation(
        id: OperationTable.createImageVariation.id, dialect: .openAI, path: "/images/variations", shape: .form,
        response: .anything(.imageEdit))

    static let createRerank = RelayOperation(
        id: OperationTable.createRerank.id, dialect: .openAI, path: "/rerank", shape: RequestShape(streams: .ignored),
        response: .document)

    static let createResponse = RelayOperation(
        id: OperationTable.createResponse.id, dialect: .responses, path: "/responses",
        shape: RequestShape(tokenLimits: ["max_output_tokens"], isStored: true, hasTiers: true),
        response: .typed(.responses))

    static let compactResponse = RelayOperation(
        id: OperationTable.compactResponse.id, dialect: .responses, path: "/responses/compact",
        shape: RequestShape(tokenLimits: ["max_output_tokens"], streams: .ignored, isStored: true, hasTiers: true),
        response: .document)

    static let countResponseTokens = RelayOperation(
        id: OperationTable.countResponseTokens.id, dialect: .responses, path: "/responses/input_tokens",
        shape: RequestShape(streams: .ignored, isStored: true), response: .document)

    static let createMessage = RelayOperation(
        id: OperationTable.createMessage.id, dialect: .anthropic, path: "/messages",
        shape: RequestShape(needsMessages: true, tokenLimits: ["max_tokens"], hasTiers: true, hasThreads: true),
        response: .typed(.messages))

    static let countMessageTokens = RelayOperation(
        id: OperationTable.countMessageTokens.id, dialect: .anthropic, path: "/messages/count_tokens",
        shape: RequestShape(needsMessages: true, streams: .ignored, hasThreads: true), response: .document)

    /// Format of its requests; nil if they cannot be translated into another.
    package var format: ClientFormat? {
        switch id {
        case OperationTable.createChatCompletion.id: .chat
        case OperationTable.createMessage.id: .messages
        case OperationTable.createResponse.id: .responses
        case OperationTable.ollamaChat.id: .ollamaChat
        case OperationTable.ollamaGenerate.id: .ollamaGenerate
        default: nil
        }
    }

    /// Format of its requests, whether or not they can be translated; nil if they hold no conversation.
    package var requestFormat: ClientFormat? {
        switch id {
        case OperationTable.countMessageTokens.id: .messages
        case OperationTable.countResponseTokens.id, OperationTable.compactResponse.id: .responses
        default: format
        }
    }

    /// Whether its requests only count the tokens of a prompt, which the gateway can estimate.
    package var countsTokens: Bool { RelayOperation.countsTokens(id) }

    package static func countsTokens(_ id: String) -> Bool {
        // The length rules out most of the others.
        counting.contains { $0.utf8.count == id.utf8.count && $0 == id }
    }

    private static let counting = [OperationTable.countMessageTokens.id, OperationTable.countResponseTokens.id]

    /// Whether the operation compacts a conversation, which only some upstreams of the Responses API do.
    var compacts: Bool { id == OperationTable.compactResponse.id }

    /// Whether a cached response can be the response to an equal request.
    package var hasCacheableResponses: Bool {
        let others = [OperationTable.createCompletion.id, OperationTable.createEmbedding.id]
        return format != nil || others.contains(id)
    }

    /// Format of its responses, if a document and a stream can be converted into each other; nil otherwise.
    package var answerFormat: AnswerFormat? {
        switch id {
        case OperationTable.createChatCompletion.id: .chat
        case OperationTable.createCompletion.id: .completion
        case OperationTable.createMessage.id: .messages
        case OperationTable.createResponse.id: .responses
        default: nil
        }
    }

    /// Returns the operation whose requests have the format.
    static func of(_ format: WireFormat) -> RelayOperation {
        switch format {
        case .chat: createChatCompletion
        case .messages: createMessage
        case .responses: createResponse
        }
    }

    /// Whether Azure's dated API serves the operation below a deployment's path.
    var isOfDeployment: Bool {
        let others = [
            OperationTable.createResponse.id, OperationTable.compactResponse.id,
            OperationTable.countResponseTokens.id, OperationTable.createModeration.id, OperationTable.createRerank.id,
        ]
        return !others.contains(id)
    }

    /// Whether its requests are multipart forms, which are forwarded as they arrive.
    package var takesForm: Bool { if case .anything = response { true } else { false } }

    /// All operations whose requests have a body.
    package static let all = [
        createChatCompletion, createCompletion, createEmbedding, createModeration, createImage, createSpeech,
        createTranscription, createTranslation, createImageEdit, createImageVariation, createRerank, createResponse,
        compactResponse, countResponseTokens, createMessage, countMessageTokens, ollamaChat, ollamaGenerate,
        ollamaEmbed, ollamaEmbeddings,
    ]
}

/// Meaning of the event types in a stream of typed events.
package struct TypedStreamShape: Sendable {
    let terminal: Set<String>
    let silent: Set<String>
    var failing: Set<String> = []
    var endsWithDone = false

    static let messages = TypedStreamShape(
        terminal: ["message_stop"], silent: ["ping", "message_start", "content_block_start"])

    static let transcription = TypedStreamShape(terminal: ["transcript.text.done"], silent: [])

    static let imageEdit = TypedStreamShape(terminal: ["image_edit.completed"], silent: [])

    static let responses = TypedStreamShape(
        terminal: ["response.completed", "response.incomplete", "response.failed"],
        silent: [
            "response.created", "response.queued", "response.in_progress", "response.output_item.added",
            "response.content_part.added", "response.reasoning_summary_part.added", "response.failed", "keepalive",
        ], failing: ["response.failed"], endsWithDone: true)
}
