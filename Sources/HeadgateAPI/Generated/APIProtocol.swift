// Generated from openapi.yaml by openapi-generator; do not edit.

/// Whatever serves the contract, or stands for a server of it.
public protocol APIProtocol: Sendable {
    /// A chat completion, whole or as a stream.
    func createChatCompletion(
        _ input: Operations.CreateChatCompletion.Input
    ) async throws -> Operations.CreateChatCompletion.Output
    /// A legacy completion of a prompt, whole or as a stream.
    func createCompletion(_ input: Operations.CreateCompletion.Input) async throws -> Operations.CreateCompletion.Output
    /// The embeddings of texts, as numbers or as base64.
    func createEmbedding(_ input: Operations.CreateEmbedding.Input) async throws -> Operations.CreateEmbedding.Output
    /// Whether texts or images are harmful.
    func createModeration(_ input: Operations.CreateModeration.Input) async throws -> Operations.CreateModeration.Output
    /// Images made from a text.
    func createImage(_ input: Operations.CreateImage.Input) async throws -> Operations.CreateImage.Output
    /// Images made from others and a text.
    func createImageEdit(_ input: Operations.CreateImageEdit.Input) async throws -> Operations.CreateImageEdit.Output
    /// Variations of an image.
    func createImageVariation(
        _ input: Operations.CreateImageVariation.Input
    ) async throws -> Operations.CreateImageVariation.Output
    /// A text read aloud.
    func createSpeech(_ input: Operations.CreateSpeech.Input) async throws -> Operations.CreateSpeech.Output
    /// What is said in a recording.
    func createTranscription(
        _ input: Operations.CreateTranscription.Input
    ) async throws -> Operations.CreateTranscription.Output
    /// What is said in a recording, in English.
    func createTranslation(
        _ input: Operations.CreateTranslation.Input
    ) async throws -> Operations.CreateTranslation.Output
    /// Documents in the order in which they fit a query.
    func createRerank(_ input: Operations.CreateRerank.Input) async throws -> Operations.CreateRerank.Output
    /// A response, whole or as a stream.
    func createResponse(_ input: Operations.CreateResponse.Input) async throws -> Operations.CreateResponse.Output
    /// A conversation, compacted by its provider.
    func compactResponse(_ input: Operations.CompactResponse.Input) async throws -> Operations.CompactResponse.Output
    /// The number of tokens that a response's input would have.
    func countResponseTokens(
        _ input: Operations.CountResponseTokens.Input
    ) async throws -> Operations.CountResponseTokens.Output
    /// A response that the upstream or the gateway has kept, or the rest of its stream.
    func retrieveResponse(_ input: Operations.RetrieveResponse.Input) async throws -> Operations.RetrieveResponse.Output
    /// Deletes a response that the upstream or the gateway has kept.
    func deleteResponse(_ input: Operations.DeleteResponse.Input) async throws -> Operations.DeleteResponse.Output
    /// Stops a response that runs in the background.
    func cancelResponse(_ input: Operations.CancelResponse.Input) async throws -> Operations.CancelResponse.Output
    /// The input items of a response that the upstream or the gateway has kept.
    func listResponseInputItems(
        _ input: Operations.ListResponseInputItems.Input
    ) async throws -> Operations.ListResponseInputItems.Output
    /// Makes a conversation that the gateway keeps.
    func createConversation(
        _ input: Operations.CreateConversation.Input
    ) async throws -> Operations.CreateConversation.Output
    /// A conversation that the gateway keeps.
    func retrieveConversation(
        _ input: Operations.RetrieveConversation.Input
    ) async throws -> Operations.RetrieveConversation.Output
    /// Changes the metadata of a conversation.
    func updateConversation(
        _ input: Operations.UpdateConversation.Input
    ) async throws -> Operations.UpdateConversation.Output
    /// Deletes a conversation with all its items.
    func deleteConversation(
        _ input: Operations.DeleteConversation.Input
    ) async throws -> Operations.DeleteConversation.Output
    /// The items of a conversation.
    func listConversationItems(
        _ input: Operations.ListConversationItems.Input
    ) async throws -> Operations.ListConversationItems.Output
    /// Adds items to a conversation.
    func createConversationItems(
        _ input: Operations.CreateConversationItems.Input
    ) async throws -> Operations.CreateConversationItems.Output
    /// One item of a conversation.
    func retrieveConversationItem(
        _ input: Operations.RetrieveConversationItem.Input
    ) async throws -> Operations.RetrieveConversationItem.Output
    /// Takes an item out of a conversation.
    func deleteConversationItem(
        _ input: Operations.DeleteConversationItem.Input
    ) async throws -> Operations.DeleteConversationItem.Output
    /// The rest of a stream whose client had left.
    func resumeStream(_ input: Operations.ResumeStream.Input) async throws -> Operations.ResumeStream.Output
    /// Ends a stream that goes on without its client.
    func stopStream(_ input: Operations.StopStream.Input) async throws -> Operations.StopStream.Output
    /// A message, whole or as a stream.
    func createMessage(_ input: Operations.CreateMessage.Input) async throws -> Operations.CreateMessage.Output
    /// How many tokens a message would take in.
    func countMessageTokens(
        _ input: Operations.CountMessageTokens.Input
    ) async throws -> Operations.CountMessageTokens.Output
    /// The models that this key may use, by their public names.
    func listModels(_ input: Operations.ListModels.Input) async throws -> Operations.ListModels.Output
    /// One model.
    func retrieveModel(_ input: Operations.RetrieveModel.Input) async throws -> Operations.RetrieveModel.Output
    /// A chat in Ollama's form: a stream, or whole with `stream: false`.
    func ollamaChat(_ input: Operations.OllamaChat.Input) async throws -> Operations.OllamaChat.Output
    /// The answer to one prompt in Ollama's form: a stream, or whole with `stream: false`.
    func ollamaGenerate(_ input: Operations.OllamaGenerate.Input) async throws -> Operations.OllamaGenerate.Output
    /// The embeddings of texts, in Ollama's form.
    func ollamaEmbed(_ input: Operations.OllamaEmbed.Input) async throws -> Operations.OllamaEmbed.Output
    /// The embedding of one text, in Ollama's older form.
    func ollamaEmbeddings(_ input: Operations.OllamaEmbeddings.Input) async throws -> Operations.OllamaEmbeddings.Output
    /// The models that this key may use, in Ollama's form.
    func ollamaListModels(_ input: Operations.OllamaListModels.Input) async throws -> Operations.OllamaListModels.Output
    /// What is known of a model, in Ollama's form.
    func ollamaShowModel(_ input: Operations.OllamaShowModel.Input) async throws -> Operations.OllamaShowModel.Output
    /// The models on this machine, in Ollama's form.
    func ollamaListRunning(
        _ input: Operations.OllamaListRunning.Input
    ) async throws -> Operations.OllamaListRunning.Output
    /// The version of Ollama's API that this is like.
    func ollamaVersion(_ input: Operations.OllamaVersion.Input) async throws -> Operations.OllamaVersion.Output
    /// A chat with the models, as a page.
    func getChatPage(_ input: Operations.GetChatPage.Input) async throws -> Operations.GetChatPage.Output
    /// A script, style sheet or picture of the chat and status pages.
    func getWebAsset(_ input: Operations.GetWebAsset.Input) async throws -> Operations.GetWebAsset.Output
    /// How the gateway is doing, as a page.
    func getStatusPage(_ input: Operations.GetStatusPage.Input) async throws -> Operations.GetStatusPage.Output
    /// How the gateway and its upstreams are doing, and how the last requests ended.
    func getStatus(_ input: Operations.GetStatus.Input) async throws -> Operations.GetStatus.Output
    /// What requests have used, and what that costs.
    func getUsage(_ input: Operations.GetUsage.Input) async throws -> Operations.GetUsage.Output
    /// The client keys.
    func listKeys(_ input: Operations.ListKeys.Input) async throws -> Operations.ListKeys.Output
    /// Makes a client key.
    func createKey(_ input: Operations.CreateKey.Input) async throws -> Operations.CreateKey.Output
    /// One client key, without the key itself.
    func retrieveKey(_ input: Operations.RetrieveKey.Input) async throws -> Operations.RetrieveKey.Output
    /// Revokes a client key.
    func revokeKey(_ input: Operations.RevokeKey.Input) async throws -> Operations.RevokeKey.Output
    /// Gives a client another key.
    func rotateKey(_ input: Operations.RotateKey.Input) async throws -> Operations.RotateKey.Output
    /// Stops the program that the gateway runs for an upstream.
    func unloadUpstream(_ input: Operations.UnloadUpstream.Input) async throws -> Operations.UnloadUpstream.Output
    /// Makes a code by which one device gets a client key.
    func createPairing(_ input: Operations.CreatePairing.Input) async throws -> Operations.CreatePairing.Output
    /// Exchanges a pairing code for the key of one device.
    func redeemPairing(_ input: Operations.RedeemPairing.Input) async throws -> Operations.RedeemPairing.Output
    /// The content of one of the latest requests.
    func inspectRequest(_ input: Operations.InspectRequest.Input) async throws -> Operations.InspectRequest.Output
    /// What the gateway counts, for Prometheus.
    func getMetrics(_ input: Operations.GetMetrics.Input) async throws -> Operations.GetMetrics.Output
    /// Whether the process answers at all.
    func getLiveness(_ input: Operations.GetLiveness.Input) async throws -> Operations.GetLiveness.Output
    /// Whether the gateway wants new requests.
    func getReadiness(_ input: Operations.GetReadiness.Input) async throws -> Operations.GetReadiness.Output
    /// The same as /readyz, under the name that many tools expect.
    func getHealth(_ input: Operations.GetHealth.Input) async throws -> Operations.GetHealth.Output
    /// This document.
    func getDocument(_ input: Operations.GetDocument.Input) async throws -> Operations.GetDocument.Output
    /// This document, for tools that read only JSON.
    func getDocumentAsJSON(
        _ input: Operations.GetDocumentAsJSON.Input
    ) async throws -> Operations.GetDocumentAsJSON.Output
    /// This document as a page on which every operation can be tried.
    func getDocumentation(_ input: Operations.GetDocumentation.Input) async throws -> Operations.GetDocumentation.Output
    /// A script, style sheet or picture of the page.
    func getDocumentationAsset(
        _ input: Operations.GetDocumentationAsset.Input
    ) async throws -> Operations.GetDocumentationAsset.Output
}
