// Generated from openapi.yaml by openapi-generator; do not edit.

/// Whoever implements only some operations, such as a double in a test, throws ``UnimplementedOperation`` in the
/// others.
extension APIProtocol {
    public func createChatCompletion(
        _ input: Operations.CreateChatCompletion.Input
    ) async throws -> Operations.CreateChatCompletion.Output {
        throw UnimplementedOperation(operationID: Operations.CreateChatCompletion.id)
    }

    public func createCompletion(
        _ input: Operations.CreateCompletion.Input
    ) async throws -> Operations.CreateCompletion.Output {
        throw UnimplementedOperation(operationID: Operations.CreateCompletion.id)
    }

    public func createEmbedding(
        _ input: Operations.CreateEmbedding.Input
    ) async throws -> Operations.CreateEmbedding.Output {
        throw UnimplementedOperation(operationID: Operations.CreateEmbedding.id)
    }

    public func createModeration(
        _ input: Operations.CreateModeration.Input
    ) async throws -> Operations.CreateModeration.Output {
        throw UnimplementedOperation(operationID: Operations.CreateModeration.id)
    }

    public func createImage(_ input: Operations.CreateImage.Input) async throws -> Operations.CreateImage.Output {
        throw UnimplementedOperation(operationID: Operations.CreateImage.id)
    }

    public func createImageEdit(
        _ input: Operations.CreateImageEdit.Input
    ) async throws -> Operations.CreateImageEdit.Output {
        throw UnimplementedOperation(operationID: Operations.CreateImageEdit.id)
    }

    public func createImageVariation(
        _ input: Operations.CreateImageVariation.Input
    ) async throws -> Operations.CreateImageVariation.Output {
        throw UnimplementedOperation(operationID: Operations.CreateImageVariation.id)
    }

    public func createSpeech(_ input: Operations.CreateSpeech.Input) async throws -> Operations.CreateSpeech.Output {
        throw UnimplementedOperation(operationID: Operations.CreateSpeech.id)
    }

    public func createTranscription(
        _ input: Operations.CreateTranscription.Input
    ) async throws -> Operations.CreateTranscription.Output {
        throw UnimplementedOperation(operationID: Operations.CreateTranscription.id)
    }

    public func createTranslation(
        _ input: Operations.CreateTranslation.Input
    ) async throws -> Operations.CreateTranslation.Output {
        throw UnimplementedOperation(operationID: Operations.CreateTranslation.id)
    }

    public func createRerank(_ input: Operations.CreateRerank.Input) async throws -> Operations.CreateRerank.Output {
        throw UnimplementedOperation(operationID: Operations.CreateRerank.id)
    }

    public func createResponse(
        _ input: Operations.CreateResponse.Input
    ) async throws -> Operations.CreateResponse.Output {
        throw UnimplementedOperation(operationID: Operations.CreateResponse.id)
    }

    public func compactResponse(
        _ input: Operations.CompactResponse.Input
    ) async throws -> Operations.CompactResponse.Output {
        throw UnimplementedOperation(operationID: Operations.CompactResponse.id)
    }

    public func countResponseTokens(
        _ input: Operations.CountResponseTokens.Input
    ) async throws -> Operations.CountResponseTokens.Output {
        throw UnimplementedOperation(operationID: Operations.CountResponseTokens.id)
    }

    public func retrieveResponse(
        _ input: Operations.RetrieveResponse.Input
    ) async throws -> Operations.RetrieveResponse.Output {
        throw UnimplementedOperation(operationID: Operations.RetrieveResponse.id)
    }

    public func deleteResponse(
        _ input: Operations.DeleteResponse.Input
    ) async throws -> Operations.DeleteResponse.Output {
        throw UnimplementedOperation(operationID: Operations.DeleteResponse.id)
    }

    public func cancelResponse(
        _ input: Operations.CancelResponse.Input
    ) async throws -> Operations.CancelResponse.Output {
        throw UnimplementedOperation(operationID: Operations.CancelResponse.id)
    }

    public func listResponseInputItems(
        _ input: Operations.ListResponseInputItems.Input
    ) async throws -> Operations.ListResponseInputItems.Output {
        throw UnimplementedOperation(operationID: Operations.ListResponseInputItems.id)
    }

    public func createConversation(
        _ input: Operations.CreateConversation.Input
    ) async throws -> Operations.CreateConversation.Output {
        throw UnimplementedOperation(operationID: Operations.CreateConversation.id)
    }

    public func retrieveConversation(
        _ input: Operations.RetrieveConversation.Input
    ) async throws -> Operations.RetrieveConversation.Output {
        throw UnimplementedOperation(operationID: Operations.RetrieveConversation.id)
    }

    public func updateConversation(
        _ input: Operations.UpdateConversation.Input
    ) async throws -> Operations.UpdateConversation.Output {
        throw UnimplementedOperation(operationID: Operations.UpdateConversation.id)
    }

    public func deleteConversation(
        _ input: Operations.DeleteConversation.Input
    ) async throws -> Operations.DeleteConversation.Output {
        throw UnimplementedOperation(operationID: Operations.DeleteConversation.id)
    }

    public func listConversationItems(
        _ input: Operations.ListConversationItems.Input
    ) async throws -> Operations.ListConversationItems.Output {
        throw UnimplementedOperation(operationID: Operations.ListConversationItems.id)
    }

    public func createConversationItems(
        _ input: Operations.CreateConversationItems.Input
    ) async throws -> Operations.CreateConversationItems.Output {
        throw UnimplementedOperation(operationID: Operations.CreateConversationItems.id)
    }

    public func retrieveConversationItem(
        _ input: Operations.RetrieveConversationItem.Input
    ) async throws -> Operations.RetrieveConversationItem.Output {
        throw UnimplementedOperation(operationID: Operations.RetrieveConversationItem.id)
    }

    public func deleteConversationItem(
        _ input: Operations.DeleteConversationItem.Input
    ) async throws -> Operations.DeleteConversationItem.Output {
        throw UnimplementedOperation(operationID: Operations.DeleteConversationItem.id)
    }

    public func resumeStream(_ input: Operations.ResumeStream.Input) async throws -> Operations.ResumeStream.Output {
        throw UnimplementedOperation(operationID: Operations.ResumeStream.id)
    }

    public func stopStream(_ input: Operations.StopStream.Input) async throws -> Operations.StopStream.Output {
        throw UnimplementedOperation(operationID: Operations.StopStream.id)
    }

    public func createMessage(_ input: Operations.CreateMessage.Input) async throws -> Operations.CreateMessage.Output {
        throw UnimplementedOperation(operationID: Operations.CreateMessage.id)
    }

    public func countMessageTokens(
        _ input: Operations.CountMessageTokens.Input
    ) async throws -> Operations.CountMessageTokens.Output {
        throw UnimplementedOperation(operationID: Operations.CountMessageTokens.id)
    }

    public func listModels(_ input: Operations.ListModels.Input) async throws -> Operations.ListModels.Output {
        throw UnimplementedOperation(operationID: Operations.ListModels.id)
    }

    public func retrieveModel(_ input: Operations.RetrieveModel.Input) async throws -> Operations.RetrieveModel.Output {
        throw UnimplementedOperation(operationID: Operations.RetrieveModel.id)
    }

    public func ollamaChat(_ input: Operations.OllamaChat.Input) async throws -> Operations.OllamaChat.Output {
        throw UnimplementedOperation(operationID: Operations.OllamaChat.id)
    }

    public func ollamaGenerate(
        _ input: Operations.OllamaGenerate.Input
    ) async throws -> Operations.OllamaGenerate.Output {
        throw UnimplementedOperation(operationID: Operations.OllamaGenerate.id)
    }

    public func ollamaEmbed(_ input: Operations.OllamaEmbed.Input) async throws -> Operations.OllamaEmbed.Output {
        throw UnimplementedOperation(operationID: Operations.OllamaEmbed.id)
    }

    public func ollamaEmbeddings(
        _ input: Operations.OllamaEmbeddings.Input
    ) async throws -> Operations.OllamaEmbeddings.Output {
        throw UnimplementedOperation(operationID: Operations.OllamaEmbeddings.id)
    }

    public func ollamaListModels(
        _ input: Operations.OllamaListModels.Input
    ) async throws -> Operations.OllamaListModels.Output {
        throw UnimplementedOperation(operationID: Operations.OllamaListModels.id)
    }

    public func ollamaShowModel(
        _ input: Operations.OllamaShowModel.Input
    ) async throws -> Operations.OllamaShowModel.Output {
        throw UnimplementedOperation(operationID: Operations.OllamaShowModel.id)
    }

    public func ollamaListRunning(
        _ input: Operations.OllamaListRunning.Input
    ) async throws -> Operations.OllamaListRunning.Output {
        throw UnimplementedOperation(operationID: Operations.OllamaListRunning.id)
    }

    public func ollamaVersion(_ input: Operations.OllamaVersion.Input) async throws -> Operations.OllamaVersion.Output {
        throw UnimplementedOperation(operationID: Operations.OllamaVersion.id)
    }

    public func getChatPage(_ input: Operations.GetChatPage.Input) async throws -> Operations.GetChatPage.Output {
        throw UnimplementedOperation(operationID: Operations.GetChatPage.id)
    }

    public func getWebAsset(_ input: Operations.GetWebAsset.Input) async throws -> Operations.GetWebAsset.Output {
        throw UnimplementedOperation(operationID: Operations.GetWebAsset.id)
    }

    public func getStatusPage(_ input: Operations.GetStatusPage.Input) async throws -> Operations.GetStatusPage.Output {
        throw UnimplementedOperation(operationID: Operations.GetStatusPage.id)
    }

    public func getStatus(_ input: Operations.GetStatus.Input) async throws -> Operations.GetStatus.Output {
        throw UnimplementedOperation(operationID: Operations.GetStatus.id)
    }

    public func getUsage(_ input: Operations.GetUsage.Input) async throws -> Operations.GetUsage.Output {
        throw UnimplementedOperation(operationID: Operations.GetUsage.id)
    }

    public func listKeys(_ input: Operations.ListKeys.Input) async throws -> Operations.ListKeys.Output {
        throw UnimplementedOperation(operationID: Operations.ListKeys.id)
    }

    public func createKey(_ input: Operations.CreateKey.Input) async throws -> Operations.CreateKey.Output {
        throw UnimplementedOperation(operationID: Operations.CreateKey.id)
    }

    public func retrieveKey(_ input: Operations.RetrieveKey.Input) async throws -> Operations.RetrieveKey.Output {
        throw UnimplementedOperation(operationID: Operations.RetrieveKey.id)
    }

    public func revokeKey(_ input: Operations.RevokeKey.Input) async throws -> Operations.RevokeKey.Output {
        throw UnimplementedOperation(operationID: Operations.RevokeKey.id)
    }

    public func rotateKey(_ input: Operations.RotateKey.Input) async throws -> Operations.RotateKey.Output {
        throw UnimplementedOperation(operationID: Operations.RotateKey.id)
    }

    public func unloadUpstream(
        _ input: Operations.UnloadUpstream.Input
    ) async throws -> Operations.UnloadUpstream.Output {
        throw UnimplementedOperation(operationID: Operations.UnloadUpstream.id)
    }

    public func createPairing(_ input: Operations.CreatePairing.Input) async throws -> Operations.CreatePairing.Output {
        throw UnimplementedOperation(operationID: Operations.CreatePairing.id)
    }

    public func redeemPairing(_ input: Operations.RedeemPairing.Input) async throws -> Operations.RedeemPairing.Output {
        throw UnimplementedOperation(operationID: Operations.RedeemPairing.id)
    }

    public func inspectRequest(
        _ input: Operations.InspectRequest.Input
    ) async throws -> Operations.InspectRequest.Output {
        throw UnimplementedOperation(operationID: Operations.InspectRequest.id)
    }

    public func getMetrics(_ input: Operations.GetMetrics.Input) async throws -> Operations.GetMetrics.Output {
        throw UnimplementedOperation(operationID: Operations.GetMetrics.id)
    }

    public func getLiveness(_ input: Operations.GetLiveness.Input) async throws -> Operations.GetLiveness.Output {
        throw UnimplementedOperation(operationID: Operations.GetLiveness.id)
    }

    public func getReadiness(_ input: Operations.GetReadiness.Input) async throws -> Operations.GetReadiness.Output {
        throw UnimplementedOperation(operationID: Operations.GetReadiness.id)
    }

    public func getHealth(_ input: Operations.GetHealth.Input) async throws -> Operations.GetHealth.Output {
        throw UnimplementedOperation(operationID: Operations.GetHealth.id)
    }

    public func getDocument(_ input: Operations.GetDocument.Input) async throws -> Operations.GetDocument.Output {
        throw UnimplementedOperation(operationID: Operations.GetDocument.id)
    }

    public func getDocumentAsJSON(
        _ input: Operations.GetDocumentAsJSON.Input
    ) async throws -> Operations.GetDocumentAsJSON.Output {
        throw UnimplementedOperation(operationID: Operations.GetDocumentAsJSON.id)
    }

    public func getDocumentation(
        _ input: Operations.GetDocumentation.Input
    ) async throws -> Operations.GetDocumentation.Output {
        throw UnimplementedOperation(operationID: Operations.GetDocumentation.id)
    }

    public func getDocumentationAsset(
        _ input: Operations.GetDocumentationAsset.Input
    ) async throws -> Operations.GetDocumentationAsset.Output {
        throw UnimplementedOperation(operationID: Operations.GetDocumentationAsset.id)
    }
}
