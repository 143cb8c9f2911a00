// Generated from openapi.yaml by openapi-generator; do not edit.

internal import HeadgateContract

extension APIProtocol {
    /// Registers every operation on each of its paths.
    package func registerHandlers(on transport: any ServerTransport) throws {
        try transport.register(OperationTable.createChatCompletion) { request, body, metadata in
            let request = IncomingRequest(request, body, metadata)
            return try await createChatCompletion(.init(decoding: request)).encoded()
        }
        try transport.register(OperationTable.createCompletion) { request, body, metadata in
            let request = IncomingRequest(request, body, metadata)
            return try await createCompletion(.init(decoding: request)).encoded()
        }
        try transport.register(OperationTable.createEmbedding) { request, body, metadata in
            let request = IncomingRequest(request, body, metadata)
            return try await createEmbedding(.init(decoding: request)).encoded()
        }
        try transport.register(OperationTable.createModeration) { request, body, metadata in
            let request = IncomingRequest(request, body, metadata)
            return try await createModeration(.init(decoding: request)).encoded()
        }
        try transport.register(OperationTable.createImage) { request, body, metadata in
            let request = IncomingRequest(request, body, metadata)
            return try await createImage(.init(decoding: request)).encoded()
        }
        try transport.register(OperationTable.createImageEdit) { request, body, metadata in
            let request = IncomingRequest(request, body, metadata)
            return try await createImageEdit(.init(decoding: request)).encoded()
        }
        try transport.register(OperationTable.createImageVariation) { request, body, metadata in
            let request = IncomingRequest(request, body, metadata)
            return try await createImageVariation(.init(decoding: request)).encoded()
        }
        try transport.register(OperationTable.createSpeech) { request, body, metadata in
            let request = IncomingRequest(request, body, metadata)
            return try await createSpeech(.init(decoding: request)).encoded()
        }
        try transport.register(OperationTable.createTranscription) { request, body, metadata in
            let request = IncomingRequest(request, body, metadata)
            return try await createTranscription(.init(decoding: request)).encoded()
        }
        try transport.register(OperationTable.createTranslation) { request, body, metadata in
            let request = IncomingRequest(request, body, metadata)
            return try await createTranslation(.init(decoding: request)).encoded()
        }
        try transport.register(OperationTable.createRerank) { request, body, metadata in
            let request = IncomingRequest(request, body, metadata)
            return try await createRerank(.init(decoding: request)).encoded()
        }
        try transport.register(OperationTable.createResponse) { request, body, metadata in
            let request = IncomingRequest(request, body, metadata)
            return try await createResponse(.init(decoding: request)).encoded()
        }
        try transport.register(OperationTable.retrieveResponse) { request, body, metadata in
            let request = IncomingRequest(request, body, metadata)
            return try await retrieveResponse(.init(decoding: request)).encoded()
        }
        try transport.register(OperationTable.deleteResponse) { request, body, metadata in
            let request = IncomingRequest(request, body, metadata)
            return try await deleteResponse(.init(decoding: request)).encoded()
        }
        try transport.register(OperationTable.cancelResponse) { request, body, metadata in
            let request = IncomingRequest(request, body, metadata)
            return try await cancelResponse(.init(decoding: request)).encoded()
        }
        try transport.register(OperationTable.listResponseInputItems) { request, body, metadata in
            let request = IncomingRequest(request, body, metadata)
            return try await listResponseInputItems(.init(decoding: request)).encoded()
        }
        try transport.register(OperationTable.createConversation) { request, body, metadata in
            let request = IncomingRequest(request, body, metadata)
            return try await createConversation(.init(decoding: request)).encoded()
        }
        try transport.register(OperationTable.retrieveConversation) { request, body, metadata in
            let request = IncomingRequest(request, body, metadata)
            return try await retrieveConversation(.init(decoding: request)).encoded()
        }
        try transport.register(OperationTable.updateConversation) { request, body, metadata in
            let request = IncomingRequest(request, body, metadata)
            return try await updateConversation(.init(decoding: request)).encoded()
        }
        try transport.register(OperationTable.deleteConversation) { request, body, metadata in
            let request = IncomingRequest(request, body, metadata)
            return try await deleteConversation(.init(decoding: request)).encoded()
        }
        try transport.register(OperationTable.listConversationItems) { request, body, metadata in
            let request = IncomingRequest(request, body, metadata)
            return try await listConversationItems(.init(decoding: request)).encoded()
        }
        try transport.register(OperationTable.createConversationItems) { request, body, metadata in
            let request = IncomingRequest(request, body, metadata)
            return try await createConversationItems(.init(decoding: request)).encoded()
        }
        try transport.register(OperationTable.retrieveConversationItem) { request, body, metadata in
            let request = IncomingRequest(request, body, metadata)
            return try await retrieveConversationItem(.init(decoding: request)).encoded()
        }
        try transport.register(OperationTable.deleteConversationItem) { request, body, metadata in
            let request = IncomingRequest(request, body, metadata)
            return try await deleteConversationItem(.init(decoding: request)).encoded()
        }
        try transport.register(OperationTable.resumeStream) { request, body, metadata in
            let request = IncomingRequest(request, body, metadata)
            return try await resumeStream(.init(decoding: request)).encoded()
        }
        try transport.register(OperationTable.stopStream) { request, body, metadata in
            let request = IncomingRequest(request, body, metadata)
            return try await stopStream(.init(decoding: request)).encoded()
        }
        try transport.register(OperationTable.createMessage) { request, body, metadata in
            let request = IncomingRequest(request, body, metadata)
            return try await createMessage(.init(decoding: request)).encoded()
        }
        try transport.register(OperationTable.countMessageTokens) { request, body, metadata in
            let request = IncomingRequest(request, body, metadata)
            return try await countMessageTokens(.init(decoding: request)).encoded()
        }
        try transport.register(OperationTable.listModels) { request, body, metadata in
            let request = IncomingRequest(request, body, metadata)
            return try await listModels(.init(decoding: request)).encoded()
        }
        try transport.register(OperationTable.retrieveModel) { request, body, metadata in
            let request = IncomingRequest(request, body, metadata)
            return try await retrieveModel(.init(decoding: request)).encoded()
        }
        try transport.register(OperationTable.ollamaChat) { request, body, metadata in
            let request = IncomingRequest(request, body, metadata)
            return try await ollamaChat(.init(decoding: request)).encoded()
        }
        try transport.register(OperationTable.ollamaGenerate) { request, body, metadata in
            let request = IncomingRequest(request, body, metadata)
            return try await ollamaGenerate(.init(decoding: request)).encoded()
        }
        try transport.register(OperationTable.ollamaEmbed) { request, body, metadata in
            let request = IncomingRequest(request, body, metadata)
            return try await ollamaEmbed(.init(decoding: request)).encoded()
        }
        try transport.register(OperationTable.ollamaEmbeddings) { request, body, metadata in
            let request = IncomingRequest(request, body, metadata)
            return try await ollamaEmbeddings(.init(decoding: request)).encoded()
        }
        try transport.register(OperationTable.ollamaListModels) { request, body, metadata in
            let request = IncomingRequest(request, body, metadata)
            return try await ollamaListModels(.init(decoding: request)).encoded()
        }
        try transport.register(OperationTable.ollamaShowModel) { request, body, metadata in
            let request = IncomingRequest(request, body, metadata)
            return try await ollamaShowModel(.init(decoding: request)).encoded()
        }
        try transport.register(OperationTable.ollamaListRunning) { request, body, metadata in
            let request = IncomingRequest(request, body, metadata)
            return try await ollamaListRunning(.init(decoding: request)).encoded()
        }
        try transport.register(OperationTable.ollamaVersion) { request, body, metadata in
            let request = IncomingRequest(request, body, metadata)
            return try await ollamaVersion(.init(decoding: request)).encoded()
        }
        try transport.register(OperationTable.getChatPage) { request, body, metadata in
            let request = IncomingRequest(request, body, metadata)
            return try await getChatPage(.init(decoding: request)).encoded()
        }
        try transport.register(OperationTable.getWebAsset) { request, body, metadata in
            let request = IncomingRequest(request, body, metadata)
            return try await getWebAsset(.init(decoding: request)).encoded()
        }
        try transport.register(OperationTable.getStatusPage) { request, body, metadata in
            let request = IncomingRequest(request, body, metadata)
            return try await getStatusPage(.init(decoding: request)).encoded()
        }
        try transport.register(OperationTable.getStatus) { request, body, metadata in
            let request = IncomingRequest(request, body, metadata)
            return try await getStatus(.init(decoding: request)).encoded()
        }
        try transport.register(OperationTable.getUsage) { request, body, metadata in
            let request = IncomingRequest(request, body, metadata)
            return try await getUsage(.init(decoding: request)).encoded()
        }
        try transport.register(OperationTable.listKeys) { request, body, metadata in
            let request = IncomingRequest(request, body, metadata)
            return try await listKeys(.init(decoding: request)).encoded()
        }
        try transport.register(OperationTable.createKey) { request, body, metadata in
            let request = IncomingRequest(request, body, metadata)
            return try await createKey(.init(decoding: request)).encoded()
        }
        try transport.register(OperationTable.retrieveKey) { request, body, metadata in
            let request = IncomingRequest(request, body, metadata)
            return try await retrieveKey(.init(decoding: request)).encoded()
        }
        try transport.register(OperationTable.revokeKey) { request, body, metadata in
            let request = IncomingRequest(request, body, metadata)
            return try await revokeKey(.init(decoding: request)).encoded()
        }
        try transport.register(OperationTable.rotateKey) { request, body, metadata in
            let request = IncomingRequest(request, body, metadata)
            return try await rotateKey(.init(decoding: request)).encoded()
        }
        try transport.register(OperationTable.getMetrics) { request, body, metadata in
            let request = IncomingRequest(request, body, metadata)
            return try await getMetrics(.init(decoding: request)).encoded()
        }
        try transport.register(OperationTable.getLiveness) { request, body, metadata in
            let request = IncomingRequest(request, body, metadata)
            return try await getLiveness(.init(decoding: request)).encoded()
        }
        try transport.register(OperationTable.getReadiness) { request, body, metadata in
            let request = IncomingRequest(request, body, metadata)
            return try await getReadiness(.init(decoding: request)).encoded()
        }
        try transport.register(OperationTable.getHealth) { request, body, metadata in
            let request = IncomingRequest(request, body, metadata)
            return try await getHealth(.init(decoding: request)).encoded()
        }
        try transport.register(OperationTable.getDocument) { request, body, metadata in
            let request = IncomingRequest(request, body, metadata)
            return try await getDocument(.init(decoding: request)).encoded()
        }
        try transport.register(OperationTable.getDocumentAsJSON) { request, body, metadata in
            let request = IncomingRequest(request, body, metadata)
            return try await getDocumentAsJSON(.init(decoding: request)).encoded()
        }
        try transport.register(OperationTable.getDocumentation) { request, body, metadata in
            let request = IncomingRequest(request, body, metadata)
            return try await getDocumentation(.init(decoding: request)).encoded()
        }
        try transport.register(OperationTable.getDocumentationAsset) { request, body, metadata in
            let request = IncomingRequest(request, body, metadata)
            return try await getDocumentationAsset(.init(decoding: request)).encoded()
        }
    }
}
