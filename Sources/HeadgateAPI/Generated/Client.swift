// Generated from openapi.yaml by openapi-generator; do not edit.

public import HeadgateHTTP

/// Calls a server of the contract. Bodies are confined as its transport says.
public struct Client: APIProtocol {
    private let sender: RequestSender

    /// - Parameter serverURL: where the gateway is, without `/v1`.
    public init(serverURL: BaseURL, transport: any ClientTransport, middlewares: [any ClientMiddleware] = []) {
        sender = RequestSender(serverURL: serverURL, transport: transport, middlewares: middlewares)
    }

    public func createChatCompletion(
        _ input: Operations.CreateChatCompletion.Input
    ) async throws -> Operations.CreateChatCompletion.Output {
        let response = try await sender.send(input.encoded(), operationID: Operations.CreateChatCompletion.id)
        return try await .init(decoding: response)
    }

    public func createCompletion(
        _ input: Operations.CreateCompletion.Input
    ) async throws -> Operations.CreateCompletion.Output {
        let response = try await sender.send(input.encoded(), operationID: Operations.CreateCompletion.id)
        return try await .init(decoding: response)
    }

    public func createEmbedding(
        _ input: Operations.CreateEmbedding.Input
    ) async throws -> Operations.CreateEmbedding.Output {
        let response = try await sender.send(input.encoded(), operationID: Operations.CreateEmbedding.id)
        return try await .init(decoding: response)
    }

    public func createModeration(
        _ input: Operations.CreateModeration.Input
    ) async throws -> Operations.CreateModeration.Output {
        let response = try await sender.send(input.encoded(), operationID: Operations.CreateModeration.id)
        return try await .init(decoding: response)
    }

    public func createImage(
        _ input: Operations.CreateImage.Input
    ) async throws -> Operations.CreateImage.Output {
        let response = try await sender.send(input.encoded(), operationID: Operations.CreateImage.id)
        return try await .init(decoding: response)
    }

    public func createImageEdit(
        _ input: Operations.CreateImageEdit.Input
    ) async throws -> Operations.CreateImageEdit.Output {
        let response = try await sender.send(input.encoded(), operationID: Operations.CreateImageEdit.id)
        return try await .init(decoding: response)
    }

    public func createImageVariation(
        _ input: Operations.CreateImageVariation.Input
    ) async throws -> Operations.CreateImageVariation.Output {
        let response = try await sender.send(input.encoded(), operationID: Operations.CreateImageVariation.id)
        return try await .init(decoding: response)
    }

    public func createSpeech(
        _ input: Operations.CreateSpeech.Input
    ) async throws -> Operations.CreateSpeech.Output {
        let response = try await sender.send(input.encoded(), operationID: Operations.CreateSpeech.id)
        return try await .init(decoding: response)
    }

    public func createTranscription(
        _ input: Operations.CreateTranscription.Input
    ) async throws -> Operations.CreateTranscription.Output {
        let response = try await sender.send(input.encoded(), operationID: Operations.CreateTranscription.id)
        return try await .init(decoding: response)
    }

    public func createTranslation(
        _ input: Operations.CreateTranslation.Input
    ) async throws -> Operations.CreateTranslation.Output {
        let response = try await sender.send(input.encoded(), operationID: Operations.CreateTranslation.id)
        return try await .init(decoding: response)
    }

    public func createRerank(
        _ input: Operations.CreateRerank.Input
    ) async throws -> Operations.CreateRerank.Output {
        let response = try await sender.send(input.encoded(), operationID: Operations.CreateRerank.id)
        return try await .init(decoding: response)
    }

    public func createResponse(
        _ input: Operations.CreateResponse.Input
    ) async throws -> Operations.CreateResponse.Output {
        let response = try await sender.send(input.encoded(), operationID: Operations.CreateResponse.id)
        return try await .init(decoding: response)
    }

    public func retrieveResponse(
        _ input: Operations.RetrieveResponse.Input
    ) async throws -> Operations.RetrieveResponse.Output {
        let response = try await sender.send(input.encoded(), operationID: Operations.RetrieveResponse.id)
        return try await .init(decoding: response)
    }

    public func deleteResponse(
        _ input: Operations.DeleteResponse.Input
    ) async throws -> Operations.DeleteResponse.Output {
        let response = try await sender.send(input.encoded(), operationID: Operations.DeleteResponse.id)
        return try await .init(decoding: response)
    }

    public func cancelResponse(
        _ input: Operations.CancelResponse.Input
    ) async throws -> Operations.CancelResponse.Output {
        let response = try await sender.send(input.encoded(), operationID: Operations.CancelResponse.id)
        return try await .init(decoding: response)
    }

    public func listResponseInputItems(
        _ input: Operations.ListResponseInputItems.Input
    ) async throws -> Operations.ListResponseInputItems.Output {
        let response = try await sender.send(input.encoded(), operationID: Operations.ListResponseInputItems.id)
        return try await .init(decoding: response)
    }

    public func createConversation(
        _ input: Operations.CreateConversation.Input
    ) async throws -> Operations.CreateConversation.Output {
        let response = try await sender.send(input.encoded(), operationID: Operations.CreateConversation.id)
        return try await .init(decoding: response)
    }

    public func retrieveConversation(
        _ input: Operations.RetrieveConversation.Input
    ) async throws -> Operations.RetrieveConversation.Output {
        let response = try await sender.send(input.encoded(), operationID: Operations.RetrieveConversation.id)
        return try await .init(decoding: response)
    }

    public func updateConversation(
        _ input: Operations.UpdateConversation.Input
    ) async throws -> Operations.UpdateConversation.Output {
        let response = try await sender.send(input.encoded(), operationID: Operations.UpdateConversation.id)
        return try await .init(decoding: response)
    }

    public func deleteConversation(
        _ input: Operations.DeleteConversation.Input
    ) async throws -> Operations.DeleteConversation.Output {
        let response = try await sender.send(input.encoded(), operationID: Operations.DeleteConversation.id)
        return try await .init(decoding: response)
    }

    public func listConversationItems(
        _ input: Operations.ListConversationItems.Input
    ) async throws -> Operations.ListConversationItems.Output {
        let response = try await sender.send(input.encoded(), operationID: Operations.ListConversationItems.id)
        return try await .init(decoding: response)
    }

    public func createConversationItems(
        _ input: Operations.CreateConversationItems.Input
    ) async throws -> Operations.CreateConversationItems.Output {
        let response = try await sender.send(input.encoded(), operationID: Operations.CreateConversationItems.id)
        return try await .init(decoding: response)
    }

    public func retrieveConversationItem(
        _ input: Operations.RetrieveConversationItem.Input
    ) async throws -> Operations.RetrieveConversationItem.Output {
        let response = try await sender.send(input.encoded(), operationID: Operations.RetrieveConversationItem.id)
        return try await .init(decoding: response)
    }

    public func deleteConversationItem(
        _ input: Operations.DeleteConversationItem.Input
    ) async throws -> Operations.DeleteConversationItem.Output {
        let response = try await sender.send(input.encoded(), operationID: Operations.DeleteConversationItem.id)
        return try await .init(decoding: response)
    }

    public func resumeStream(
        _ input: Operations.ResumeStream.Input
    ) async throws -> Operations.ResumeStream.Output {
        let response = try await sender.send(input.encoded(), operationID: Operations.ResumeStream.id)
        return try await .init(decoding: response)
    }

    public func stopStream(
        _ input: Operations.StopStream.Input
    ) async throws -> Operations.StopStream.Output {
        let response = try await sender.send(input.encoded(), operationID: Operations.StopStream.id)
        return try await .init(decoding: response)
    }

    public func createMessage(
        _ input: Operations.CreateMessage.Input
    ) async throws -> Operations.CreateMessage.Output {
        let response = try await sender.send(input.encoded(), operationID: Operations.CreateMessage.id)
        return try await .init(decoding: response)
    }

    public func countMessageTokens(
        _ input: Operations.CountMessageTokens.Input
    ) async throws -> Operations.CountMessageTokens.Output {
        let response = try await sender.send(input.encoded(), operationID: Operations.CountMessageTokens.id)
        return try await .init(decoding: response)
    }

    public func listModels(
        _ input: Operations.ListModels.Input
    ) async throws -> Operations.ListModels.Output {
        let response = try await sender.send(input.encoded(), operationID: Operations.ListModels.id)
        return try await .init(decoding: response)
    }

    public func retrieveModel(
        _ input: Operations.RetrieveModel.Input
    ) async throws -> Operations.RetrieveModel.Output {
        let response = try await sender.send(input.encoded(), operationID: Operations.RetrieveModel.id)
        return try await .init(decoding: response)
    }

    public func ollamaChat(
        _ input: Operations.OllamaChat.Input
    ) async throws -> Operations.OllamaChat.Output {
        let response = try await sender.send(input.encoded(), operationID: Operations.OllamaChat.id)
        return try await .init(decoding: response)
    }

    public func ollamaGenerate(
        _ input: Operations.OllamaGenerate.Input
    ) async throws -> Operations.OllamaGenerate.Output {
        let response = try await sender.send(input.encoded(), operationID: Operations.OllamaGenerate.id)
        return try await .init(decoding: response)
    }

    public func ollamaEmbed(
        _ input: Operations.OllamaEmbed.Input
    ) async throws -> Operations.OllamaEmbed.Output {
        let response = try await sender.send(input.encoded(), operationID: Operations.OllamaEmbed.id)
        return try await .init(decoding: response)
    }

    public func ollamaEmbeddings(
        _ input: Operations.OllamaEmbeddings.Input
    ) async throws -> Operations.OllamaEmbeddings.Output {
        let response = try await sender.send(input.encoded(), operationID: Operations.OllamaEmbeddings.id)
        return try await .init(decoding: response)
    }

    public func ollamaListModels(
        _ input: Operations.OllamaListModels.Input
    ) async throws -> Operations.OllamaListModels.Output {
        let response = try await sender.send(input.encoded(), operationID: Operations.OllamaListModels.id)
        return try await .init(decoding: response)
    }

    public func ollamaShowModel(
        _ input: Operations.OllamaShowModel.Input
    ) async throws -> Operations.OllamaShowModel.Output {
        let response = try await sender.send(input.encoded(), operationID: Operations.OllamaShowModel.id)
        return try await .init(decoding: response)
    }

    public func ollamaListRunning(
        _ input: Operations.OllamaListRunning.Input
    ) async throws -> Operations.OllamaListRunning.Output {
        let response = try await sender.send(input.encoded(), operationID: Operations.OllamaListRunning.id)
        return try await .init(decoding: response)
    }

    public func ollamaVersion(
        _ input: Operations.OllamaVersion.Input
    ) async throws -> Operations.OllamaVersion.Output {
        let response = try await sender.send(input.encoded(), operationID: Operations.OllamaVersion.id)
        return try await .init(decoding: response)
    }

    public func getChatPage(
        _ input: Operations.GetChatPage.Input
    ) async throws -> Operations.GetChatPage.Output {
        let response = try await sender.send(input.encoded(), operationID: Operations.GetChatPage.id)
        return try await .init(decoding: response)
    }

    public func getWebAsset(
        _ input: Operations.GetWebAsset.Input
    ) async throws -> Operations.GetWebAsset.Output {
        let response = try await sender.send(input.encoded(), operationID: Operations.GetWebAsset.id)
        return try await .init(decoding: response)
    }

    public func getStatusPage(
        _ input: Operations.GetStatusPage.Input
    ) async throws -> Operations.GetStatusPage.Output {
        let response = try await sender.send(input.encoded(), operationID: Operations.GetStatusPage.id)
        return try await .init(decoding: response)
    }

    public func getStatus(
        _ input: Operations.GetStatus.Input
    ) async throws -> Operations.GetStatus.Output {
        let response = try await sender.send(input.encoded(), operationID: Operations.GetStatus.id)
        return try await .init(decoding: response)
    }

    public func getUsage(
        _ input: Operations.GetUsage.Input
    ) async throws -> Operations.GetUsage.Output {
        let response = try await sender.send(input.encoded(), operationID: Operations.GetUsage.id)
        return try await .init(decoding: response)
    }

    public func listKeys(
        _ input: Operations.ListKeys.Input
    ) async throws -> Operations.ListKeys.Output {
        let response = try await sender.send(input.encoded(), operationID: Operations.ListKeys.id)
        return try await .init(decoding: response)
    }

    public func createKey(
        _ input: Operations.CreateKey.Input
    ) async throws -> Operations.CreateKey.Output {
        let response = try await sender.send(input.encoded(), operationID: Operations.CreateKey.id)
        return try await .init(decoding: response)
    }

    public func retrieveKey(
        _ input: Operations.RetrieveKey.Input
    ) async throws -> Operations.RetrieveKey.Output {
        let response = try await sender.send(input.encoded(), operationID: Operations.RetrieveKey.id)
        return try await .init(decoding: response)
    }

    public func revokeKey(
        _ input: Operations.RevokeKey.Input
    ) async throws -> Operations.RevokeKey.Output {
        let response = try await sender.send(input.encoded(), operationID: Operations.RevokeKey.id)
        return try await .init(decoding: response)
    }

    public func rotateKey(
        _ input: Operations.RotateKey.Input
    ) async throws -> Operations.RotateKey.Output {
        let response = try await sender.send(input.encoded(), operationID: Operations.RotateKey.id)
        return try await .init(decoding: response)
    }

    public func getMetrics(
        _ input: Operations.GetMetrics.Input
    ) async throws -> Operations.GetMetrics.Output {
        let response = try await sender.send(input.encoded(), operationID: Operations.GetMetrics.id)
        return try await .init(decoding: response)
    }

    public func getLiveness(
        _ input: Operations.GetLiveness.Input
    ) async throws -> Operations.GetLiveness.Output {
        let response = try await sender.send(input.encoded(), operationID: Operations.GetLiveness.id)
        return try await .init(decoding: response)
    }

    public func getReadiness(
        _ input: Operations.GetReadiness.Input
    ) async throws -> Operations.GetReadiness.Output {
        let response = try await sender.send(input.encoded(), operationID: Operations.GetReadiness.id)
        return try await .init(decoding: response)
    }

    public func getHealth(
        _ input: Operations.GetHealth.Input
    ) async throws -> Operations.GetHealth.Output {
        let response = try await sender.send(input.encoded(), operationID: Operations.GetHealth.id)
        return try await .init(decoding: response)
    }

    public func getDocument(
        _ input: Operations.GetDocument.Input
    ) async throws -> Operations.GetDocument.Output {
        let response = try await sender.send(input.encoded(), operationID: Operations.GetDocument.id)
        return try await .init(decoding: response)
    }

    public func getDocumentAsJSON(
        _ input: Operations.GetDocumentAsJSON.Input
    ) async throws -> Operations.GetDocumentAsJSON.Output {
        let response = try await sender.send(input.encoded(), operationID: Operations.GetDocumentAsJSON.id)
        return try await .init(decoding: response)
    }

    public func getDocumentation(
        _ input: Operations.GetDocumentation.Input
    ) async throws -> Operations.GetDocumentation.Output {
        let response = try await sender.send(input.encoded(), operationID: Operations.GetDocumentation.id)
        return try await .init(decoding: response)
    }

    public func getDocumentationAsset(
        _ input: Operations.GetDocumentationAsset.Input
    ) async throws -> Operations.GetDocumentationAsset.Output {
        let response = try await sender.send(input.encoded(), operationID: Operations.GetDocumentationAsset.id)
        return try await .init(decoding: response)
    }
}
