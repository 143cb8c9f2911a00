internal import HeadgateDialects

/// Translator of the response to one request into the client's format.
final class ResponseTranslator: Sendable {
    let upstream: WireFormat
    let client: ClientFormat
    let context: ResponseContext

    /// Form of the embeddings; nil for conversations.
    private let embeddings: OllamaEmbeddingForm?

    init(from upstream: WireFormat, to client: ClientFormat, _ context: ResponseContext) {
        self.upstream = upstream
        self.client = client
        self.context = context
        embeddings = nil
    }

    /// Creates a translator of OpenAI's list of embeddings into one of Ollama's forms.
    init(embeddingsIn form: OllamaEmbeddingForm, _ context: ResponseContext) {
        upstream = .chat
        client = .ollamaChat
        self.context = context
        embeddings = form
    }

    /// Format of the upstream's responses; nil for embeddings.
    var answerFormat: AnswerFormat? { embeddings == nil ? AnswerFormat(upstream) : nil }

    /// - Returns: the translated document, and the parts of the upstream's document that it lacks.
    func translate(_ document: [UInt8]) throws(ResponseFault) -> (bytes: [UInt8], dropped: [String]) {
        if let embeddings { return (try EmbeddingTranslation.response(document, in: embeddings, context), []) }
        let (bytes, response) = try ResponseTranslation.translate(document, from: upstream, to: client, context)
        return (bytes, response.dropped)
    }

    private var title: String { embeddings == nil ? upstream.title : "OpenAI's embeddings" }

    func fault(_ fault: ResponseFault, in document: [UInt8], _ errors: UpstreamErrorReading) -> GatewayError {
        switch fault {
        case .error: document.withUnsafeBytes { reportedError(in: $0, errors) }
        case .unexpected:
            .upstream(
                502, "upstream_format",
                "The upstream '\(errors.upstream)' answered with something that is no response of \(title). Does it "
                    + "speak what 'speaks:' of its configuration says?",
                cause: .invalidJSON)
        case .oversize: .oversizeResponse
        case .noSummary: .noSummary(by: errors.upstream)
        }
    }

    /// Returns the error in an event or a document that has the form of an error.
    func reportedError(in document: UnsafeRawBufferPointer, _ errors: UpstreamErrorReading) -> GatewayError {
        ErrorTranslation.adapted(errors.readFailure(document), to: client)
    }
}
