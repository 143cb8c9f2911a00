// Generated from openapi.yaml by openapi-generator; do not edit.

/// The operations with the parts of their inputs in place of them.
extension APIProtocol {
    /// A chat completion, whole or as a stream.
    public func createChatCompletion(
        headers: Operations.CreateChatCompletion.Input.Headers = .init(),
        body: Operations.CreateChatCompletion.Input.Body
    ) async throws -> Operations.CreateChatCompletion.Output {
        try await createChatCompletion(.init(headers: headers, body: body))
    }

    /// A legacy completion of a prompt, whole or as a stream.
    public func createCompletion(
        headers: Operations.CreateCompletion.Input.Headers = .init(),
        body: Operations.CreateCompletion.Input.Body
    ) async throws -> Operations.CreateCompletion.Output {
        try await createCompletion(.init(headers: headers, body: body))
    }

    /// The embeddings of texts, as numbers or as base64.
    public func createEmbedding(
        headers: Operations.CreateEmbedding.Input.Headers = .init(),
        body: Operations.CreateEmbedding.Input.Body
    ) async throws -> Operations.CreateEmbedding.Output {
        try await createEmbedding(.init(headers: headers, body: body))
    }

    /// Whether texts or images are harmful.
    public func createModeration(
        headers: Operations.CreateModeration.Input.Headers = .init(),
        body: Operations.CreateModeration.Input.Body
    ) async throws -> Operations.CreateModeration.Output {
        try await createModeration(.init(headers: headers, body: body))
    }

    /// Images made from a text.
    public func createImage(
        headers: Operations.CreateImage.Input.Headers = .init(),
        body: Operations.CreateImage.Input.Body
    ) async throws -> Operations.CreateImage.Output {
        try await createImage(.init(headers: headers, body: body))
    }

    /// Images made from others and a text.
    public func createImageEdit(
        body: Operations.CreateImageEdit.Input.Body
    ) async throws -> Operations.CreateImageEdit.Output {
        try await createImageEdit(.init(body: body))
    }

    /// Variations of an image.
    public func createImageVariation(
        body: Operations.CreateImageVariation.Input.Body
    ) async throws -> Operations.CreateImageVariation.Output {
        try await createImageVariation(.init(body: body))
    }

    /// A text read aloud.
    public func createSpeech(
        headers: Operations.CreateSpeech.Input.Headers = .init(),
        body: Operations.CreateSpeech.Input.Body
    ) async throws -> Operations.CreateSpeech.Output {
        try await createSpeech(.init(headers: headers, body: body))
    }

    /// What is said in a recording.
    public func createTranscription(
        body: Operations.CreateTranscription.Input.Body
    ) async throws -> Operations.CreateTranscription.Output {
        try await createTranscription(.init(body: body))
    }

    /// What is said in a recording, in English.
    public func createTranslation(
        body: Operations.CreateTranslation.Input.Body
    ) async throws -> Operations.CreateTranslation.Output {
        try await createTranslation(.init(body: body))
    }

    /// Documents in the order in which they fit a query.
    public func createRerank(
        headers: Operations.CreateRerank.Input.Headers = .init(),
        body: Operations.CreateRerank.Input.Body
    ) async throws -> Operations.CreateRerank.Output {
        try await createRerank(.init(headers: headers, body: body))
    }

    /// A response, whole or as a stream.
    public func createResponse(
        headers: Operations.CreateResponse.Input.Headers = .init(),
        body: Operations.CreateResponse.Input.Body
    ) async throws -> Operations.CreateResponse.Output {
        try await createResponse(.init(headers: headers, body: body))
    }

    /// A conversation, compacted by its provider.
    public func compactResponse(
        headers: Operations.CompactResponse.Input.Headers = .init(),
        body: Operations.CompactResponse.Input.Body
    ) async throws -> Operations.CompactResponse.Output {
        try await compactResponse(.init(headers: headers, body: body))
    }

    /// The number of tokens that a response's input would have.
    public func countResponseTokens(
        headers: Operations.CountResponseTokens.Input.Headers = .init(),
        body: Operations.CountResponseTokens.Input.Body
    ) async throws -> Operations.CountResponseTokens.Output {
        try await countResponseTokens(.init(headers: headers, body: body))
    }

    /// A response that the upstream or the gateway has kept, or the rest of its stream.
    public func retrieveResponse(
        path: Operations.RetrieveResponse.Input.Path,
        query: Operations.RetrieveResponse.Input.Query = .init()
    ) async throws -> Operations.RetrieveResponse.Output {
        try await retrieveResponse(.init(path: path, query: query))
    }

    /// Deletes a response that the upstream or the gateway has kept.
    public func deleteResponse(
        path: Operations.DeleteResponse.Input.Path
    ) async throws -> Operations.DeleteResponse.Output {
        try await deleteResponse(.init(path: path))
    }

    /// Stops a response that runs in the background.
    public func cancelResponse(
        path: Operations.CancelResponse.Input.Path
    ) async throws -> Operations.CancelResponse.Output {
        try await cancelResponse(.init(path: path))
    }

    /// The input items of a response that the upstream or the gateway has kept.
    public func listResponseInputItems(
        path: Operations.ListResponseInputItems.Input.Path
    ) async throws -> Operations.ListResponseInputItems.Output {
        try await listResponseInputItems(.init(path: path))
    }

    /// Makes a conversation that the gateway keeps.
    public func createConversation(
        body: Operations.CreateConversation.Input.Body
    ) async throws -> Operations.CreateConversation.Output {
        try await createConversation(.init(body: body))
    }

    /// A conversation that the gateway keeps.
    public func retrieveConversation(
        path: Operations.RetrieveConversation.Input.Path
    ) async throws -> Operations.RetrieveConversation.Output {
        try await retrieveConversation(.init(path: path))
    }

    /// Changes the metadata of a conversation.
    public func updateConversation(
        path: Operations.UpdateConversation.Input.Path,
        body: Operations.UpdateConversation.Input.Body
    ) async throws -> Operations.UpdateConversation.Output {
        try await updateConversation(.init(path: path, body: body))
    }

    /// Deletes a conversation with all its items.
    public func deleteConversation(
        path: Operations.DeleteConversation.Input.Path
    ) async throws -> Operations.DeleteConversation.Output {
        try await deleteConversation(.init(path: path))
    }

    /// The items of a conversation.
    public func listConversationItems(
        path: Operations.ListConversationItems.Input.Path,
        query: Operations.ListConversationItems.Input.Query = .init()
    ) async throws -> Operations.ListConversationItems.Output {
        try await listConversationItems(.init(path: path, query: query))
    }

    /// Adds items to a conversation.
    public func createConversationItems(
        path: Operations.CreateConversationItems.Input.Path,
        body: Operations.CreateConversationItems.Input.Body
    ) async throws -> Operations.CreateConversationItems.Output {
        try await createConversationItems(.init(path: path, body: body))
    }

    /// One item of a conversation.
    public func retrieveConversationItem(
        path: Operations.RetrieveConversationItem.Input.Path
    ) async throws -> Operations.RetrieveConversationItem.Output {
        try await retrieveConversationItem(.init(path: path))
    }

    /// Takes an item out of a conversation.
    public func deleteConversationItem(
        path: Operations.DeleteConversationItem.Input.Path
    ) async throws -> Operations.DeleteConversationItem.Output {
        try await deleteConversationItem(.init(path: path))
    }

    /// The rest of a stream whose client had left.
    public func resumeStream(
        path: Operations.ResumeStream.Input.Path,
        query: Operations.ResumeStream.Input.Query = .init(),
        headers: Operations.ResumeStream.Input.Headers = .init()
    ) async throws -> Operations.ResumeStream.Output {
        try await resumeStream(.init(path: path, query: query, headers: headers))
    }

    /// Ends a stream that goes on without its client.
    public func stopStream(path: Operations.StopStream.Input.Path) async throws -> Operations.StopStream.Output {
        try await stopStream(.init(path: path))
    }

    /// A message, whole or as a stream.
    public func createMessage(
        headers: Operations.CreateMessage.Input.Headers = .init(),
        body: Operations.CreateMessage.Input.Body
    ) async throws -> Operations.CreateMessage.Output {
        try await createMessage(.init(headers: headers, body: body))
    }

    /// How many tokens a message would take in.
    public func countMessageTokens(
        headers: Operations.CountMessageTokens.Input.Headers = .init(),
        body: Operations.CountMessageTokens.Input.Body
    ) async throws -> Operations.CountMessageTokens.Output {
        try await countMessageTokens(.init(headers: headers, body: body))
    }

    /// The models that this key may use, by their public names.
    public func listModels(
        headers: Operations.ListModels.Input.Headers = .init()
    ) async throws -> Operations.ListModels.Output {
        try await listModels(.init(headers: headers))
    }

    /// One model.
    public func retrieveModel(
        path: Operations.RetrieveModel.Input.Path,
        headers: Operations.RetrieveModel.Input.Headers = .init()
    ) async throws -> Operations.RetrieveModel.Output {
        try await retrieveModel(.init(path: path, headers: headers))
    }

    /// A chat in Ollama's form: a stream, or whole with `stream: false`.
    public func ollamaChat(
        headers: Operations.OllamaChat.Input.Headers = .init(),
        body: Operations.OllamaChat.Input.Body
    ) async throws -> Operations.OllamaChat.Output {
        try await ollamaChat(.init(headers: headers, body: body))
    }

    /// The answer to one prompt in Ollama's form: a stream, or whole with `stream: false`.
    public func ollamaGenerate(
        headers: Operations.OllamaGenerate.Input.Headers = .init(),
        body: Operations.OllamaGenerate.Input.Body
    ) async throws -> Operations.OllamaGenerate.Output {
        try await ollamaGenerate(.init(headers: headers, body: body))
    }

    /// The embeddings of texts, in Ollama's form.
    public func ollamaEmbed(
        headers: Operations.OllamaEmbed.Input.Headers = .init(),
        body: Operations.OllamaEmbed.Input.Body
    ) async throws -> Operations.OllamaEmbed.Output {
        try await ollamaEmbed(.init(headers: headers, body: body))
    }

    /// The embedding of one text, in Ollama's older form.
    public func ollamaEmbeddings(
        headers: Operations.OllamaEmbeddings.Input.Headers = .init(),
        body: Operations.OllamaEmbeddings.Input.Body
    ) async throws -> Operations.OllamaEmbeddings.Output {
        try await ollamaEmbeddings(.init(headers: headers, body: body))
    }

    /// The models that this key may use, in Ollama's form.
    public func ollamaListModels() async throws -> Operations.OllamaListModels.Output {
        try await ollamaListModels(.init())
    }

    /// What is known of a model, in Ollama's form.
    public func ollamaShowModel(
        body: Operations.OllamaShowModel.Input.Body
    ) async throws -> Operations.OllamaShowModel.Output {
        try await ollamaShowModel(.init(body: body))
    }

    /// The models on this machine, in Ollama's form.
    public func ollamaListRunning() async throws -> Operations.OllamaListRunning.Output {
        try await ollamaListRunning(.init())
    }

    /// The version of Ollama's API that this is like.
    public func ollamaVersion() async throws -> Operations.OllamaVersion.Output {
        try await ollamaVersion(.init())
    }

    /// A chat with the models, as a page.
    public func getChatPage() async throws -> Operations.GetChatPage.Output {
        try await getChatPage(.init())
    }

    /// A script, style sheet or picture of the chat and status pages.
    public func getWebAsset(path: Operations.GetWebAsset.Input.Path) async throws -> Operations.GetWebAsset.Output {
        try await getWebAsset(.init(path: path))
    }

    /// How the gateway is doing, as a page.
    public func getStatusPage() async throws -> Operations.GetStatusPage.Output {
        try await getStatusPage(.init())
    }

    /// How the gateway and its upstreams are doing, and how the last requests ended.
    public func getStatus() async throws -> Operations.GetStatus.Output {
        try await getStatus(.init())
    }

    /// What requests have used, and what that costs.
    public func getUsage(query: Operations.GetUsage.Input.Query = .init()) async throws -> Operations.GetUsage.Output {
        try await getUsage(.init(query: query))
    }

    /// The client keys.
    public func listKeys(query: Operations.ListKeys.Input.Query = .init()) async throws -> Operations.ListKeys.Output {
        try await listKeys(.init(query: query))
    }

    /// Makes a client key.
    public func createKey(body: Operations.CreateKey.Input.Body) async throws -> Operations.CreateKey.Output {
        try await createKey(.init(body: body))
    }

    /// One client key, without the key itself.
    public func retrieveKey(path: Operations.RetrieveKey.Input.Path) async throws -> Operations.RetrieveKey.Output {
        try await retrieveKey(.init(path: path))
    }

    /// Revokes a client key.
    public func revokeKey(path: Operations.RevokeKey.Input.Path) async throws -> Operations.RevokeKey.Output {
        try await revokeKey(.init(path: path))
    }

    /// Gives a client another key.
    public func rotateKey(
        path: Operations.RotateKey.Input.Path,
        body: Operations.RotateKey.Input.Body
    ) async throws -> Operations.RotateKey.Output {
        try await rotateKey(.init(path: path, body: body))
    }

    /// Stops the program that the gateway runs for an upstream.
    public func unloadUpstream(
        path: Operations.UnloadUpstream.Input.Path
    ) async throws -> Operations.UnloadUpstream.Output {
        try await unloadUpstream(.init(path: path))
    }

    /// Makes a code by which one device gets a client key.
    public func createPairing(
        body: Operations.CreatePairing.Input.Body
    ) async throws -> Operations.CreatePairing.Output {
        try await createPairing(.init(body: body))
    }

    /// Exchanges a pairing code for the key of one device.
    public func redeemPairing(
        path: Operations.RedeemPairing.Input.Path
    ) async throws -> Operations.RedeemPairing.Output {
        try await redeemPairing(.init(path: path))
    }

    /// The content of one of the latest requests.
    public func inspectRequest(
        path: Operations.InspectRequest.Input.Path
    ) async throws -> Operations.InspectRequest.Output {
        try await inspectRequest(.init(path: path))
    }

    /// What the gateway counts, for Prometheus.
    public func getMetrics() async throws -> Operations.GetMetrics.Output {
        try await getMetrics(.init())
    }

    /// Whether the process answers at all.
    public func getLiveness() async throws -> Operations.GetLiveness.Output {
        try await getLiveness(.init())
    }

    /// Whether the gateway wants new requests.
    public func getReadiness(
        query: Operations.GetReadiness.Input.Query = .init()
    ) async throws -> Operations.GetReadiness.Output {
        try await getReadiness(.init(query: query))
    }

    /// The same as /readyz, under the name that many tools expect.
    public func getHealth(
        query: Operations.GetHealth.Input.Query = .init()
    ) async throws -> Operations.GetHealth.Output {
        try await getHealth(.init(query: query))
    }

    /// This document.
    public func getDocument() async throws -> Operations.GetDocument.Output {
        try await getDocument(.init())
    }

    /// This document, for tools that read only JSON.
    public func getDocumentAsJSON() async throws -> Operations.GetDocumentAsJSON.Output {
        try await getDocumentAsJSON(.init())
    }

    /// This document as a page on which every operation can be tried.
    public func getDocumentation() async throws -> Operations.GetDocumentation.Output {
        try await getDocumentation(.init())
    }

    /// A script, style sheet or picture of the page.
    public func getDocumentationAsset(
        path: Operations.GetDocumentationAsset.Input.Path
    ) async throws -> Operations.GetDocumentationAsset.Output {
        try await getDocumentationAsset(.init(path: path))
    }
}
