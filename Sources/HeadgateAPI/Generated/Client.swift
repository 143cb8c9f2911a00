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
        try await .init(decoding: sender.send(input.encoded(), operationID: Operations.CreateChatCompletion.id))
    }

    public func createCompletion(
        _ input: Operations.CreateCompletion.Input
    ) async throws -> Operations.CreateCompletion.Output {
        try await .init(decoding: sender.send(input.encoded(), operationID: Operations.CreateCompletion.id))
    }

    public func createEmbedding(
        _ input: Operations.CreateEmbedding.Input
    ) async throws -> Operations.CreateEmbedding.Output {
        try await .init(decoding: sender.send(input.encoded(), operationID: Operations.CreateEmbedding.id))
    }

    public func createModeration(
        _ input: Operations.CreateModeration.Input
    ) async throws -> Operations.CreateModeration.Output {
        try await .init(decoding: sender.send(input.encoded(), operationID: Operations.CreateModeration.id))
    }

    public func createImage(_ input: Operations.CreateImage.Input) async throws -> Operations.CreateImage.Output {
        try await .init(decoding: sender.send(input.encoded(), operationID: Operations.CreateImage.id))
    }

    public func createImageEdit(
        _ input: Operations.CreateImageEdit.Input
    ) async throws -> Operations.CreateImageEdit.Output {
        try await .init(decoding: sender.send(input.encoded(), operationID: Operations.CreateImageEdit.id))
    }

    public func createImageVariation(
        _ input: Operations.CreateImageVariation.Input
    ) async throws -> Operations.CreateImageVariation.Output {
        try await .init(decoding: sender.send(input.encoded(), operationID: Operations.CreateImageVariation.id))
    }

    public func createSpeech(_ input: Operations.CreateSpeech.Input) async throws -> Operations.CreateSpeech.Output {
        try await .init(decoding: sender.send(input.encoded(), operationID: Operations.CreateSpeech.id))
    }

    public func createTranscription(
        _ input: Operations.CreateTranscription.Input
    ) async throws -> Operations.CreateTranscription.Output {
        try await .init(decoding: sender.send(input.encoded(), operationID: Operations.CreateTranscription.id))
    }

    public func createTranslation(
        _ input: Operations.CreateTranslation.Input
    ) async throws -> Operations.CreateTranslation.Output {
        try await .init(decoding: sender.send(input.encoded(), operationID: Operations.CreateTranslation.id))
    }

    public func createRerank(_ input: Operations.CreateRerank.Input) async throws -> Operations.CreateRerank.Output {
        try await .init(decoding: sender.send(input.encoded(), operationID: Operations.CreateRerank.id))
    }

    public func createResponse(
        _ input: Operations.CreateResponse.Input
    ) async throws -> Operations.CreateResponse.Output {
        try await .init(decoding: sender.send(input.encoded(), operationID: Operations.CreateResponse.id))
    }

    public func compactResponse(
        _ input: Operations.CompactResponse.Input
    ) async throws -> Operations.CompactResponse.Output {
        try await .init(decoding: sender.send(input.encoded(), operationID: Operations.CompactResponse.id))
    }

    public func countResponseTokens(
        _ input: Operations.CountResponseTokens.Input
    ) async throws -> Operations.CountResponseTokens.Output {
        try await .init(decoding: sender.send(input.encoded(), operationID: Operations.CountResponseTokens.id))
    }

    public func retrieveResponse(
        _ input: Operations.RetrieveResponse.Input
    ) async throws -> Operations.RetrieveResponse.Output {
        try await .init(decoding: sender.send(input.encoded(), operationID: Operations.RetrieveResponse.id))
    }

    public func deleteResponse(
        _ input: Operations.DeleteResponse.Input
    ) async throws -> Operations.DeleteResponse.Output {
        try await .init(decoding: sender.send(input.encoded(), operationID: Operations.DeleteResponse.id))
    }

    public func cancelResponse(
        _ input: Operations.CancelResponse.Input
    ) async throws -> Operations.CancelResponse.Output {
        try await .init(decoding: sender.send(input.encoded(), operationID: Operations.CancelResponse.id))
    }

    public func listResponseInputItems(
        _ input: Operations.ListResponseInputItems.Input
    ) async throws -> Operations.ListResponseInputItems.Output {
        try await .init(decoding: sender.send(input.encoded(), operationID: Operations.ListResponseInputItems.id))
    }

    public func createConversation(
        _ input: Operations.CreateConversation.Input
    ) async throws -> Operations.CreateConversation.Output {
        try await .init(decoding: sender.send(input.encoded(), operationID: Operations.CreateConversation.id))
    }

    public func retrieveConversation(
        _ input: Operations.RetrieveConversation.Input
    ) async throws -> Operations.RetrieveConversation.Output {
        try await .init(decoding: sender.send(input.encoded(), operationID: Operations.RetrieveConversation.id))
    }

    public func updateConversation(
        _ input: Operations.UpdateConversation.Input
    ) async throws -> Operations.UpdateConversation.Output {
        try await .init(decoding: sender.send(input.encoded(), operationID: Operations.UpdateConversation.id))
    }

    public func deleteConversation(
        _ input: Operations.DeleteConversation.Input
    ) async throws -> Operations.DeleteConversation.Output {
        try await .init(decoding: sender.send(input.encoded(), operationID: Operations.DeleteConversation.id))
    }

    public func listConversationItems(
        _ input: Operations.ListConversationItems.Input
    ) async throws -> Operations.ListConversationItems.Output {
        try await .init(decoding: sender.send(input.encoded(), operationID: Operations.ListConversationItems.id))
    }

    public func createConversationItems(
        _ input: Operations.CreateConversationItems.Input
    ) async throws -> Operations.CreateConversationItems.Output {
        try await .init(decoding: sender.send(input.encoded(), operationID: Operations.CreateConversationItems.id))
    }

    public func retrieveConversationItem(
        _ input: Operations.RetrieveConversationItem.Input
    ) async throws -> Operations.RetrieveConversationItem.Output {
        try await .init(decoding: sender.send(input.encoded(), operationID: Operations.RetrieveConversationItem.id))
    }

    public func deleteConversationItem(
        _ input: Operations.DeleteConversationItem.Input
    ) async throws -> Operations.DeleteConversationItem.Output {
        try await .init(decoding: sender.send(input.encoded(), operationID: Operations.DeleteConversationItem.id))
    }

    public func resumeStream(_ input: Operations.ResumeStream.Input) async throws -> Operations.ResumeStream.Output {
        try await .init(decoding: sender.send(input.encoded(), operationID: Operations.ResumeStream.id))
    }

    public func stopStream(_ input: Operations.StopStream.Input) async throws -> Operations.StopStream.Output {
        try await .init(decoding: sender.send(input.encoded(), operationID: Operations.StopStream.id))
    }

    public func createMessage(_ input: Operations.CreateMessage.Input) async throws -> Operations.CreateMessage.Output {
        try await .init(decoding: sender.send(input.encoded(), operationID: Operations.CreateMessage.id))
    }

    public func countMessageTokens(
        _ input: Operations.CountMessageTokens.Input
    ) async throws -> Operations.CountMessageTokens.Output {
        try await .init(decoding: sender.send(input.encoded(), operationID: Operations.CountMessageTokens.id))
    }

    public func listModels(_ input: Operations.ListModels.Input) async throws -> Operations.ListModels.Output {
        try await .init(decoding: sender.send(input.encoded(), operationID: Operations.ListModels.id))
    }

    public func retrieveModel(_ input: Operations.RetrieveModel.Input) async throws -> Operations.RetrieveModel.Output {
        try await .init(decoding: sender.send(input.encoded(), operationID: Operations.RetrieveModel.id))
    }

    public func ollamaChat(_ input: Operations.OllamaChat.Input) async throws -> Operations.OllamaChat.Output {
        try await .init(decoding: sender.send(input.encoded(), operationID: Operations.OllamaChat.id))
    }

    public func ollamaGenerate(
        _ input: Operations.OllamaGenerate.Input
    ) async throws -> Operations.OllamaGenerate.Output {
        try await .init(decoding: sender.send(input.encoded(), operationID: Operations.OllamaGenerate.id))
    }

    public func ollamaEmbed(_ input: Operations.OllamaEmbed.Input) async throws -> Operations.OllamaEmbed.Output {
        try await .init(decoding: sender.send(input.encoded(), operationID: Operations.OllamaEmbed.id))
    }

    public func ollamaEmbeddings(
        _ input: Operations.OllamaEmbeddings.Input
    ) async throws -> Operations.OllamaEmbeddings.Output {
        try await .init(decoding: sender.send(input.encoded(), operationID: Operations.OllamaEmbeddings.id))
    }

    public func ollamaListModels(
        _ input: Operations.OllamaListModels.Input
    ) async throws -> Operations.OllamaListModels.Output {
        try await .init(decoding: sender.send(input.encoded(), operationID: Operations.OllamaListModels.id))
    }

    public func ollamaShowModel(
        _ input: Operations.OllamaShowModel.Input
    ) async throws -> Operations.OllamaShowModel.Output {
        try await .init(decoding: sender.send(input.encoded(), operationID: Operations.OllamaShowModel.id))
    }

    public func ollamaListRunning(
        _ input: Operations.OllamaListRunning.Input
    ) async throws -> Operations.OllamaListRunning.Output {
        try await .init(decoding: sender.send(input.encoded(), operationID: Operations.OllamaListRunning.id))
    }

    public func ollamaVersion(_ input: Operations.OllamaVersion.Input) async throws -> Operations.OllamaVersion.Output {
        try await .init(decoding: sender.send(input.encoded(), operationID: Operations.OllamaVersion.id))
    }

    public func getChatPage(_ input: Operations.GetChatPage.Input) async throws -> Operations.GetChatPage.Output {
        try await .init(decoding: sender.send(input.encoded(), operationID: Operations.GetChatPage.id))
    }

    public func getWebAsset(_ input: Operations.GetWebAsset.Input) async throws -> Operations.GetWebAsset.Output {
        try await .init(decoding: sender.send(input.encoded(), operationID: Operations.GetWebAsset.id))
    }

    public func getStatusPage(_ input: Operations.GetStatusPage.Input) async throws -> Operations.GetStatusPage.Output {
        try await .init(decoding: sender.send(input.encoded(), operationID: Operations.GetStatusPage.id))
    }

    public func getStatus(_ input: Operations.GetStatus.Input) async throws -> Operations.GetStatus.Output {
        try await .init(decoding: sender.send(input.encoded(), operationID: Operations.GetStatus.id))
    }

    public func getUsage(_ input: Operations.GetUsage.Input) async throws -> Operations.GetUsage.Output {
        try await .init(decoding: sender.send(input.encoded(), operationID: Operations.GetUsage.id))
    }

    public func listKeys(_ input: Operations.ListKeys.Input) async throws -> Operations.ListKeys.Output {
        try await .init(decoding: sender.send(input.encoded(), operationID: Operations.ListKeys.id))
    }

    public func createKey(_ input: Operations.CreateKey.Input) async throws -> Operations.CreateKey.Output {
        try await .init(decoding: sender.send(input.encoded(), operationID: Operations.CreateKey.id))
    }

    public func retrieveKey(_ input: Operations.RetrieveKey.Input) async throws -> Operations.RetrieveKey.Output {
        try await .init(decoding: sender.send(input.encoded(), operationID: Operations.RetrieveKey.id))
    }

    public func revokeKey(_ input: Operations.RevokeKey.Input) async throws -> Operations.RevokeKey.Output {
        try await .init(decoding: sender.send(input.encoded(), operationID: Operations.RevokeKey.id))
    }

    public func rotateKey(_ input: Operations.RotateKey.Input) async throws -> Operations.RotateKey.Output {
        try await .init(decoding: sender.send(input.encoded(), operationID: Operations.RotateKey.id))
    }

    public func unloadUpstream(
        _ input: Operations.UnloadUpstream.Input
    ) async throws -> Operations.UnloadUpstream.Output {
        try await .init(decoding: sender.send(input.encoded(), operationID: Operations.UnloadUpstream.id))
    }

    public func createPairing(_ input: Operations.CreatePairing.Input) async throws -> Operations.CreatePairing.Output {
        try await .init(decoding: sender.send(input.encoded(), operationID: Operations.CreatePairing.id))
    }

    public func redeemPairing(_ input: Operations.RedeemPairing.Input) async throws -> Operations.RedeemPairing.Output {
        try await .init(decoding: sender.send(input.encoded(), operationID: Operations.RedeemPairing.id))
    }

    public func inspectRequest(
        _ input: Operations.InspectRequest.Input
    ) async throws -> Operations.InspectRequest.Output {
        try await .init(decoding: sender.send(input.encoded(), operationID: Operations.InspectRequest.id))
    }

    public func getMetrics(_ input: Operations.GetMetrics.Input) async throws -> Operations.GetMetrics.Output {
        try await .init(decoding: sender.send(input.encoded(), operationID: Operations.GetMetrics.id))
    }

    public func getLiveness(_ input: Operations.GetLiveness.Input) async throws -> Operations.GetLiveness.Output {
        try await .init(decoding: sender.send(input.encoded(), operationID: Operations.GetLiveness.id))
    }

    public func getReadiness(_ input: Operations.GetReadiness.Input) async throws -> Operations.GetReadiness.Output {
        try await .init(decoding: sender.send(input.encoded(), operationID: Operations.GetReadiness.id))
    }

    public func getHealth(_ input: Operations.GetHealth.Input) async throws -> Operations.GetHealth.Output {
        try await .init(decoding: sender.send(input.encoded(), operationID: Operations.GetHealth.id))
    }

    public func getDocument(_ input: Operations.GetDocument.Input) async throws -> Operations.GetDocument.Output {
        try await .init(decoding: sender.send(input.encoded(), operationID: Operations.GetDocument.id))
    }

    public func getDocumentAsJSON(
        _ input: Operations.GetDocumentAsJSON.Input
    ) async throws -> Operations.GetDocumentAsJSON.Output {
        try await .init(decoding: sender.send(input.encoded(), operationID: Operations.GetDocumentAsJSON.id))
    }

    public func getDocumentation(
        _ input: Operations.GetDocumentation.Input
    ) async throws -> Operations.GetDocumentation.Output {
        try await .init(decoding: sender.send(input.encoded(), operationID: Operations.GetDocumentation.id))
    }

    public func getDocumentationAsset(
        _ input: Operations.GetDocumentationAsset.Input
    ) async throws -> Operations.GetDocumentationAsset.Output {
        try await .init(decoding: sender.send(input.encoded(), operationID: Operations.GetDocumentationAsset.id))
    }
}
