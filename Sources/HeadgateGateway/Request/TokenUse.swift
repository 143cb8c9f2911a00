internal import HeadgateContract

/// Which tokens the requests of an operation use.
enum TokenUse: Sendable {
    /// Who only asks how many tokens a prompt has uses none.
    case none
    /// Those of the prompt: the answer is no text, so that there is nothing to count.
    case prompt
    case all

    init(ofOperation id: String) {
        switch id {
        case OperationTable.countMessageTokens.id: self = .none
        case OperationTable.createEmbedding.id, OperationTable.createModeration.id, OperationTable.createRerank.id,
            OperationTable.ollamaEmbed.id, OperationTable.ollamaEmbeddings.id:
            self = .prompt
        default: self = .all
        }
    }
}
