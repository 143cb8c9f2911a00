import HeadgateAPI
import HeadgateContract

/// A gateway that serves the operations for which a test provides a response.
struct StubGateway: APIProtocol {
    struct NotServed: Error, Equatable {}

    var onListModels: @Sendable (Operations.ListModels.Input) throws -> Operations.ListModels.Output = { _ in
        throw NotServed()
    }
    var onRetrieveModel: @Sendable (Operations.RetrieveModel.Input) throws -> Operations.RetrieveModel.Output = { _ in
        throw NotServed()
    }
    var onChat: (@Sendable (Operations.CreateChatCompletion.Input) throws -> Operations.CreateChatCompletion.Output) = {
        _ in throw NotServed()
    }
    var onSpeech: (@Sendable (Operations.CreateSpeech.Input) throws -> Operations.CreateSpeech.Output) = { _ in
        throw NotServed()
    }
    var onTranscription:
        (@Sendable (Operations.CreateTranscription.Input) throws -> Operations.CreateTranscription.Output) = { _ in
            throw NotServed()
        }
    var onRetrieveResponse:
        (@Sendable (Operations.RetrieveResponse.Input) throws -> Operations.RetrieveResponse.Output) = { _ in
            throw NotServed()
        }

    func listModels(_ input: Operations.ListModels.Input) async throws -> Operations.ListModels.Output {
        try onListModels(input)
    }
    func retrieveModel(_ input: Operations.RetrieveModel.Input) async throws -> Operations.RetrieveModel.Output {
        try onRetrieveModel(input)
    }
    func createChatCompletion(
        _ input: Operations.CreateChatCompletion.Input
    ) async throws -> Operations.CreateChatCompletion.Output { try onChat(input) }
    func createSpeech(_ input: Operations.CreateSpeech.Input) async throws -> Operations.CreateSpeech.Output {
        try onSpeech(input)
    }
    func createTranscription(
        _ input: Operations.CreateTranscription.Input
    ) async throws -> Operations.CreateTranscription.Output { try onTranscription(input) }
    func retrieveResponse(
        _ input: Operations.RetrieveResponse.Input
    ) async throws -> Operations.RetrieveResponse.Output { try onRetrieveResponse(input) }
}

/// Operations that no test calls.
extension StubGateway {
    func createCompletion(
        _: Operations.CreateCompletion.Input
    ) async throws -> Operations.CreateCompletion.Output { throw NotServed() }
    func createEmbedding(
        _: Operations.CreateEmbedding.Input
    ) async throws -> Operations.CreateEmbedding.Output { throw NotServed() }
    func createModeration(
        _: Operations.CreateModeration.Input
    ) async throws -> Operations.CreateModeration.Output { throw NotServed() }
    func createImage(
        _: Operations.CreateImage.Input
    ) async throws -> Operations.CreateImage.Output { throw NotServed() }
    func createImageEdit(
        _: Operations.CreateImageEdit.Input
    ) async throws -> Operations.CreateImageEdit.Output { throw NotServed() }
    func createImageVariation(
        _: Operations.CreateImageVariation.Input
    ) async throws -> Operations.CreateImageVariation.Output { throw NotServed() }
    func createTranslation(
        _: Operations.CreateTranslation.Input
    ) async throws -> Operations.CreateTranslation.Output { throw NotServed() }
    func createRerank(
        _: Operations.CreateRerank.Input
    ) async throws -> Operations.CreateRerank.Output { throw NotServed() }
    func createResponse(
        _: Operations.CreateResponse.Input
    ) async throws -> Operations.CreateResponse.Output { throw NotServed() }
    func compactResponse(
        _: Operations.CompactResponse.Input
    ) async throws -> Operations.CompactResponse.Output { throw NotServed() }
    func countResponseTokens(
        _: Operations.CountResponseTokens.Input
    ) async throws -> Operations.CountResponseTokens.Output { throw NotServed() }
    func deleteResponse(
        _: Operations.DeleteResponse.Input
    ) async throws -> Operations.DeleteResponse.Output { throw NotServed() }
    func cancelResponse(
        _: Operations.CancelResponse.Input
    ) async throws -> Operations.CancelResponse.Output { throw NotServed() }
    func listResponseInputItems(
        _: Operations.ListResponseInputItems.Input
    ) async throws -> Operations.ListResponseInputItems.Output { throw NotServed() }
    func resumeStream(
        _: Operations.ResumeStream.Input
    ) async throws -> Operations.ResumeStream.Output { throw NotServed() }
    func stopStream(
        _: Operations.StopStream.Input
    ) async throws -> Operations.StopStream.Output { throw NotServed() }
    func createConversation(
        _: Operations.CreateConversation.Input
    ) async throws -> Operations.CreateConversation.Output { throw NotServed() }
    func retrieveConversation(
        _: Operations.RetrieveConversation.Input
    ) async throws -> Operations.RetrieveConversation.Output { throw NotServed() }
    func updateConversation(
        _: Operations.UpdateConversation.Input
    ) async throws -> Operations.UpdateConversation.Output { throw NotServed() }
    func deleteConversation(
        _: Operations.DeleteConversation.Input
    ) async throws -> Operations.DeleteConversation.Output { throw NotServed() }
    func listConversationItems(
        _: Operations.ListConversationItems.Input
    ) async throws -> Operations.ListConversationItems.Output { throw NotServed() }
    func createConversationItems(
        _: Operations.CreateConversationItems.Input
    ) async throws -> Operations.CreateConversationItems.Output { throw NotServed() }
    func retrieveConversationItem(
        _: Operations.RetrieveConversationItem.Input
    ) async throws -> Operations.RetrieveConversationItem.Output { throw NotServed() }
    func deleteConversationItem(
        _: Operations.DeleteConversationItem.Input
    ) async throws -> Operations.DeleteConversationItem.Output { throw NotServed() }
    func createMessage(
        _: Operations.CreateMessage.Input
    ) async throws -> Operations.CreateMessage.Output { throw NotServed() }
    func countMessageTokens(
        _: Operations.CountMessageTokens.Input
    ) async throws -> Operations.CountMessageTokens.Output { throw NotServed() }
    func getChatPage(
        _: Operations.GetChatPage.Input
    ) async throws -> Operations.GetChatPage.Output { throw NotServed() }
    func ollamaChat(
        _: Operations.OllamaChat.Input
    ) async throws -> Operations.OllamaChat.Output { throw NotServed() }
    func ollamaGenerate(
        _: Operations.OllamaGenerate.Input
    ) async throws -> Operations.OllamaGenerate.Output { throw NotServed() }
    func ollamaEmbed(
        _: Operations.OllamaEmbed.Input
    ) async throws -> Operations.OllamaEmbed.Output { throw NotServed() }
    func ollamaEmbeddings(
        _: Operations.OllamaEmbeddings.Input
    ) async throws -> Operations.OllamaEmbeddings.Output { throw NotServed() }
    func ollamaListModels(
        _: Operations.OllamaListModels.Input
    ) async throws -> Operations.OllamaListModels.Output { throw NotServed() }
    func ollamaShowModel(
        _: Operations.OllamaShowModel.Input
    ) async throws -> Operations.OllamaShowModel.Output { throw NotServed() }
    func ollamaListRunning(
        _: Operations.OllamaListRunning.Input
    ) async throws -> Operations.OllamaListRunning.Output { throw NotServed() }
    func ollamaVersion(
        _: Operations.OllamaVersion.Input
    ) async throws -> Operations.OllamaVersion.Output { throw NotServed() }
    func getStatusPage(
        _: Operations.GetStatusPage.Input
    ) async throws -> Operations.GetStatusPage.Output { throw NotServed() }
    func getStatus(
        _: Operations.GetStatus.Input
    ) async throws -> Operations.GetStatus.Output { throw NotServed() }
    func getUsage(
        _: Operations.GetUsage.Input
    ) async throws -> Operations.GetUsage.Output { throw NotServed() }
    func listKeys(_: Operations.ListKeys.Input) async throws -> Operations.ListKeys.Output { throw NotServed() }
    func createKey(_: Operations.CreateKey.Input) async throws -> Operations.CreateKey.Output { throw NotServed() }
    func retrieveKey(
        _: Operations.RetrieveKey.Input
    ) async throws -> Operations.RetrieveKey.Output { throw NotServed() }
    func revokeKey(_: Operations.RevokeKey.Input) async throws -> Operations.RevokeKey.Output { throw NotServed() }
    func rotateKey(_: Operations.RotateKey.Input) async throws -> Operations.RotateKey.Output { throw NotServed() }
    func getMetrics(
        _: Operations.GetMetrics.Input
    ) async throws -> Operations.GetMetrics.Output { throw NotServed() }
    func getWebAsset(
        _: Operations.GetWebAsset.Input
    ) async throws -> Operations.GetWebAsset.Output { throw NotServed() }
    func getLiveness(
        _: Operations.GetLiveness.Input
    ) async throws -> Operations.GetLiveness.Output { throw NotServed() }
    func getReadiness(
        _: Operations.GetReadiness.Input
    ) async throws -> Operations.GetReadiness.Output { throw NotServed() }
    func getHealth(
        _: Operations.GetHealth.Input
    ) async throws -> Operations.GetHealth.Output { throw NotServed() }
    func getDocument(
        _: Operations.GetDocument.Input
    ) async throws -> Operations.GetDocument.Output { throw NotServed() }
    func getDocumentAsJSON(
        _: Operations.GetDocumentAsJSON.Input
    ) async throws -> Operations.GetDocumentAsJSON.Output { throw NotServed() }
    func getDocumentation(
        _: Operations.GetDocumentation.Input
    ) async throws -> Operations.GetDocumentation.Output { throw NotServed() }
    func getDocumentationAsset(
        _: Operations.GetDocumentationAsset.Input
    ) async throws -> Operations.GetDocumentationAsset.Output { throw NotServed() }
}
