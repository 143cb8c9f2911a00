internal import HTTPTypes
internal import HeadgateContract
package import HeadgateHTTP

/// API whose clients a route serves. It defines the format of errors, as a body and as the last event of a stream.
package enum Dialect: UInt8, Sendable {
    case openAI = 1
    /// OpenAI's Responses: bodies as in ``openAI``, streams of typed events.
    case responses
    case anthropic
    case ollama

    /// Returns the dialect of an operation's routes; nil if OpenAI's and Anthropic's APIs share the route.
    package static func ofRoutes(_ operationID: String) -> Dialect? {
        switch operationID {
        case OperationTable.listModels.id, OperationTable.retrieveModel.id: nil
        case OperationTable.resumeStream.id, OperationTable.stopStream.id: nil
        case let id where ofOllama.contains(id): .ollama
        case let id where ofStoredResponses.contains(id): .responses
        default: RelayOperation.all.first { $0.id == operationID }?.dialect ?? .openAI
        }
    }

    private static let ofOllama: Set<String> = [
        OperationTable.ollamaChat.id, OperationTable.ollamaGenerate.id, OperationTable.ollamaEmbed.id,
        OperationTable.ollamaEmbeddings.id, OperationTable.ollamaListModels.id, OperationTable.ollamaShowModel.id,
        OperationTable.ollamaListRunning.id, OperationTable.ollamaVersion.id,
    ]
    private static let ofStoredResponses: Set<String> = [
        OperationTable.retrieveResponse.id, OperationTable.deleteResponse.id, OperationTable.cancelResponse.id,
        OperationTable.listResponseInputItems.id,
    ]

    /// Chooses the dialect by the request's headers, on a route that both APIs have.
    package init(ofSharedRoute fields: HeadFields) { self = fields.contains(.anthropicVersion) ? .anthropic : .openAI }

    /// Chooses the dialect for a request that has matched no route.
    package init(unrouted request: RequestHead) {
        self = request.withPath { path in
            if Dialect.isSegment(path, 0, "/api") { return .ollama }
            let start = Dialect.begins(path, 0, "/v1/") ? 3 : 0
            if Dialect.isSegment(path, start, "/messages") { return .anthropic }
            return Dialect.isSegment(path, start, "/models") ? Dialect(ofSharedRoute: request.fields) : .openAI
        }
    }

    private static func begins(_ path: UnsafeRawBufferPointer, _ start: Int, _ text: StaticString) -> Bool {
        guard path.count - start >= text.utf8CodeUnitCount else { return false }
        for index in 0..<text.utf8CodeUnitCount where path[start + index] != text.utf8Start[index] { return false }
        return true
    }

    /// Returns whether the text is the next segment of the path.
    private static func isSegment(_ path: UnsafeRawBufferPointer, _ start: Int, _ text: StaticString) -> Bool {
        guard begins(path, start, text) else { return false }
        let end = start + text.utf8CodeUnitCount
        return end == path.count || path[end] == UInt8(ascii: "/") || path[end] == UInt8(ascii: "?")
    }

    /// Name for people.
    package var name: String {
        switch self {
        case .openAI: "OpenAI's API"
        case .responses: "OpenAI's Responses"
        case .anthropic: "Anthropic's Messages"
        case .ollama: "Ollama's API"
        }
    }

    /// - Parameter requestID: the id of the request that failed.
    package func response(_ error: GatewayError, requestID: String) -> ServerResponse {
        switch self {
        case .openAI, .responses: OpenAIErrorEnvelope.response(error)
        case .anthropic: AnthropicErrorEnvelope.response(error, requestID: requestID)
        case .ollama: OllamaErrorEnvelope.response(error)
        }
    }

    /// Appends the event that ends a broken stream.
    ///
    /// - Parameter broken: the known facts of the response that breaks off.
    package func appendEvent(_ error: GatewayError, of broken: BrokenResponse, to output: inout [UInt8]) {
        switch self {
        case .openAI: OpenAIErrorEnvelope.appendEvent(error, to: &output)
        case .responses: ResponsesErrorEvent.append(error, of: broken, to: &output)
        case .anthropic: AnthropicErrorEnvelope.appendEvent(error, requestID: broken.requestID, to: &output)
        case .ollama: OllamaErrorEnvelope.appendLine(error, to: &output)
        }
    }
}

/// Facts in an error event about the response that it ends, as far as they are known.
package struct BrokenResponse {
    package var requestID = ""
    /// JSON literals, including quotes.
    var idLiteral: [UInt8]?
    var modelLiteral: [UInt8]?
    /// Number of the next event.
    var sequenceNumber = 0

    package init(
        requestID: String = "", idLiteral: [UInt8]? = nil, modelLiteral: [UInt8]? = nil, sequenceNumber: Int = 0
    ) {
        self.requestID = requestID
        self.idLiteral = idLiteral
        self.modelLiteral = modelLiteral
        self.sequenceNumber = sequenceNumber
    }
}

extension GatewayError {
    static func dialectNotSpoken(by upstream: String, _ spoken: Dialect, model: String, route: Dialect) -> GatewayError
    {
        let shown = ShownName.text(model)
        return .refusedModel(
            shown, 400,
            "The model '\(shown)' is served by the upstream '\(upstream)', which speaks \(spoken.name); this route "
                + "speaks \(route.name).",
            code: "dialect_not_spoken", cause: .invalidRequest)
    }

    /// Returns the error for an upstream that cannot compact conversations; another target of the model might.
    static func compactionNotSupported(by upstream: String, model: String) -> GatewayError {
        let shown = ShownName.text(model)
        return .refusedModel(
            shown, 400,
            "The upstream '\(upstream)' of the model '\(shown)' cannot compact conversations. Shorten 'input' in the "
                + "client, or use a model whose upstream has /v1/responses/compact.",
            code: "compaction_not_supported", cause: .untranslatable)
    }

    /// Returns the error for an upstream that was asked to summarize a conversation, but wrote no complete summary.
    static func noSummary(by upstream: String) -> GatewayError {
        .upstream(
            502, "compaction_failed",
            "The upstream '\(upstream)' was asked to summarize the conversation and wrote no complete text. Try again with "
                + "a higher token limit or none, or shorten the conversation in the client.",
            cause: .noSummary)
    }
}
