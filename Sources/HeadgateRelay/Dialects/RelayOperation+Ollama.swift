internal import HeadgateContract
package import HeadgateDialects

// Ollama's requests are always translated: they have no path upstream.
extension RelayOperation {
    package static let ollamaChat = RelayOperation(
        id: OperationTable.ollamaChat.id, dialect: .ollama, path: "", shape: RequestShape(hasOptions: true),
        response: .choices)

    package static let ollamaGenerate = RelayOperation(
        id: OperationTable.ollamaGenerate.id, dialect: .ollama, path: "", shape: RequestShape(hasOptions: true),
        response: .choices)

    package static let ollamaEmbed = RelayOperation(
        id: OperationTable.ollamaEmbed.id, dialect: .ollama, path: "", shape: RequestShape(streams: .ignored),
        response: .document)

    package static let ollamaEmbeddings = RelayOperation(
        id: OperationTable.ollamaEmbeddings.id, dialect: .ollama, path: "", shape: RequestShape(streams: .ignored),
        response: .document)

    /// The form of the request for embeddings, where it is one of Ollama's.
    package var embeddingForm: OllamaEmbeddingForm? {
        switch id {
        case OperationTable.ollamaEmbed.id: .list
        case OperationTable.ollamaEmbeddings.id: .single
        default: nil
        }
    }
}
