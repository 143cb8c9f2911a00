internal import HeadgateContract
internal import HeadgateDialects

// Ollama's requests are always translated, so they have no path at the upstream.
extension RelayOperation {
    static let ollamaChat = RelayOperation(
        id: OperationTable.ollamaChat.id, dialect: .ollama, path: "", shape: RequestShape(hasOptions: true),
        response: .choices)

    static let ollamaGenerate = RelayOperation(
        id: OperationTable.ollamaGenerate.id, dialect: .ollama, path: "", shape: RequestShape(hasOptions: true),
        response: .choices)

    static let ollamaEmbed = RelayOperation(
        id: OperationTable.ollamaEmbed.id, dialect: .ollama, path: "", shape: RequestShape(streams: .ignored),
        response: .document)

    static let ollamaEmbeddings = RelayOperation(
        id: OperationTable.ollamaEmbeddings.id, dialect: .ollama, path: "", shape: RequestShape(streams: .ignored),
        response: .document)

    /// Form of Ollama's request for embeddings; nil for other operations.
    var embeddingForm: OllamaEmbeddingForm? {
        switch id {
        case OperationTable.ollamaEmbed.id: .list
        case OperationTable.ollamaEmbeddings.id: .single
        default: nil
        }
    }
}
