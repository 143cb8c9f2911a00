internal import HeadgateContract
internal import HeadgateRelay

/// Names of operations in OpenTelemetry's conventions for generative AI.
enum GenAIOperation {
    /// Returns the conventional name of an operation, or its id in the contract if there is none.
    static func name(of id: String) -> String {
        switch id {
        case OperationTable.createChatCompletion.id, OperationTable.createResponse.id,
            OperationTable.createMessage.id, OperationTable.ollamaChat.id:
            "chat"
        case OperationTable.createCompletion.id, OperationTable.ollamaGenerate.id: "text_completion"
        case OperationTable.createEmbedding.id, OperationTable.ollamaEmbed.id, OperationTable.ollamaEmbeddings.id:
            "embeddings"
        default: id
        }
    }
}
