internal import HeadgateContract

/// Tokens that the requests of an operation use.
package enum TokenUse: Sendable {
    /// No tokens: the request only counts those of a prompt.
    case none
    /// Tokens of the prompt: the response is not text, so that there is nothing to count.
    case prompt
    case all

    package init(ofOperation id: String) {
        switch id {
        case OperationTable.countMessageTokens.id: self = .none
        case OperationTable.createEmbedding.id, OperationTable.createModeration.id, OperationTable.createRerank.id,
            OperationTable.ollamaEmbed.id, OperationTable.ollamaEmbeddings.id:
            self = .prompt
        default: self = .all
        }
    }
}
