internal import HeadgateContract
internal import HeadgateRelay

/// What OpenTelemetry's conventions for generative AI call an operation.
enum GenAIOperation {
    /// Where they have no name, that of the contract.
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
