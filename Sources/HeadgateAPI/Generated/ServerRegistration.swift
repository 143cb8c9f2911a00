// Generated from openapi.yaml by openapi-generator; do not edit.

internal import HeadgateContract

extension APIProtocol {
    /// Registers every operation on each of its paths.
    package func registerHandlers(on transport: any ServerTransport) throws {
        try transport.register(OperationTable.createChatCompletion) { request, body, metadata in
            try await createChatCompletion(.init(decoding: .init(request, body, metadata))).encoded()
        }
        try transport.register(OperationTable.createCompletion) { request, body, metadata in
            try await createCompletion(.init(decoding: .init(request, body, metadata))).encoded()
        }
        try transport.register(OperationTable.createEmbedding) { request, body, metadata in
            try await createEmbedding(.init(decoding: .init(request, body, metadata))).encoded()
        }
        try transport.register(OperationTable.createModeration) { request, body, metadata in
            try await createModeration(.init(decoding: .init(request, body, metadata))).encoded()
        }
        try transport.register(OperationTable.createImage) { request, body, metadata in
            try await createImage(.init(decoding: .init(request, body, metadata))).encoded()
        }
        try transport.register(OperationTable.createImageEdit) { request, body, metadata in
            try await createImageEdit(.init(decoding: .init(request, body, metadata))).encoded()
        }
        try transport.register(OperationTable.createImageVariation) { request, body, metadata in
            try await createImageVariation(.init(decoding: .init(request, body, metadata))).encoded()
        }
        try transport.register(OperationTable.createSpeech) { request, body, metadata in
            try await createSpeech(.init(decoding: .init(request, body, metadata))).encoded()
        }
        try transport.register(OperationTable.createTranscription) { request, body, metadata in
            try await createTranscription(.init(decoding: .init(request, body, metadata))).encoded()
        }
        try transport.register(OperationTable.createTranslation) { request, body, metadata in
            try await createTranslation(.init(decoding: .init(request, body, metadata))).encoded()
        }
        try transport.register(OperationTable.createRerank) { request, body, metadata in
            try await createRerank(.init(decoding: .init(request, body, metadata))).encoded()
        }
        try transport.register(OperationTable.createResponse) { request, body, metadata in
            try await createResponse(.init(decoding: .init(request, body, metadata))).encoded()
        }
        try transport.register(OperationTable.compactResponse) { request, body, metadata in
            try await compactResponse(.init(decoding: .init(request, body, metadata))).encoded()
        }
        try transport.register(OperationTable.countResponseTokens) { request, body, metadata in
            try await countResponseTokens(.init(decoding: .init(request, body, metadata))).encoded()
        }
        try transport.register(OperationTable.retrieveResponse) { request, body, metadata in
            try await retrieveResponse(.init(decoding: .init(request, body, metadata))).encoded()
        }
        try transport.register(OperationTable.deleteResponse) { request, body, metadata in
            try await deleteResponse(.init(decoding: .init(request, body, metadata))).encoded()
        }
        try transport.register(OperationTable.cancelResponse) { request, body, metadata in
            try await cancelResponse(.init(decoding: .init(request, body, metadata))).encoded()
        }
        try transport.register(OperationTable.listResponseInputItems) { request, body, metadata in
            try await listResponseInputItems(.init(decoding: .init(request, body, metadata))).encoded()
        }
        try transport.register(OperationTable.createConversation) { request, body, metadata in
            try await createConversation(.init(decoding: .init(request, body, metadata))).encoded()
        }
        try transport.register(OperationTable.retrieveConversation) { request, body, metadata in
            try await retrieveConversation(.init(decoding: .init(request, body, metadata))).encoded()
        }
        try transport.register(OperationTable.updateConversation) { request, body, metadata in
            try await updateConversation(.init(decoding: .init(request, body, metadata))).encoded()
        }
        try transport.register(OperationTable.deleteConversation) { request, body, metadata in
            try await deleteConversation(.init(decoding: .init(request, body, metadata))).encoded()
        }
        try transport.register(OperationTable.listConversationItems) { request, body, metadata in
            try await listConversationItems(.init(decoding: .init(request, body, metadata))).encoded()
        }
        try transport.register(OperationTable.createConversationItems) { request, body, metadata in
            try await createConversationItems(.init(decoding: .init(request, body, metadata))).encoded()
        }
        try transport.register(OperationTable.retrieveConversationItem) { request, body, metadata in
            try await retrieveConversationItem(.init(decoding: .init(request, body, metadata))).encoded()
        }
        try transport.register(OperationTable.deleteConversationItem) { request, body, metadata in
            try await deleteConversationItem(.init(decoding: .init(request, body, metadata))).encoded()
        }
        try transport.register(OperationTable.resumeStream) { request, body, metadata in
            try await resumeStream(.init(decoding: .init(request, body, metadata))).encoded()
        }
        try transport.register(OperationTable.stopStream) { request, body, metadata in
            try await stopStream(.init(decoding: .init(request, body, metadata))).encoded()
        }
        try transport.register(OperationTable.createMessage) { request, body, metadata in
            try await createMessage(.init(decoding: .init(request, body, metadata))).encoded()
        }
        try transport.register(OperationTable.countMessageTokens) { request, body, metadata in
            try await countMessageTokens(.init(decoding: .init(request, body, metadata))).encoded()
        }
        try transport.register(OperationTable.listModels) { request, body, metadata in
            try await listModels(.init(decoding: .init(request, body, metadata))).encoded()
        }
        try transport.register(OperationTable.retrieveModel) { request, body, metadata in
            try await retrieveModel(.init(decoding: .init(request, body, metadata))).encoded()
        }
        try transport.register(OperationTable.ollamaChat) { request, body, metadata in
            try await ollamaChat(.init(decoding: .init(request, body, metadata))).encoded()
        }
        try transport.register(OperationTable.ollamaGenerate) { request, body, metadata in
            try await ollamaGenerate(.init(decoding: .init(request, body, metadata))).encoded()
        }
        try transport.register(OperationTable.ollamaEmbed) { request, body, metadata in
            try await ollamaEmbed(.init(decoding: .init(request, body, metadata))).encoded()
        }
        try transport.register(OperationTable.ollamaEmbeddings) { request, body, metadata in
            try await ollamaEmbeddings(.init(decoding: .init(request, body, metadata))).encoded()
        }
        try transport.register(OperationTable.ollamaListModels) { request, body, metadata in
            try await ollamaListModels(.init(decoding: .init(request, body, metadata))).encoded()
        }
        try transport.register(OperationTable.ollamaShowModel) { request, body, metadata in
            try await ollamaShowModel(.init(decoding: .init(request, body, metadata))).encoded()
        }
        try transport.register(OperationTable.ollamaListRunning) { request, body, metadata in
            try await ollamaListRunning(.init(decoding: .init(request, body, metadata))).encoded()
        }
        try transport.register(OperationTable.ollamaVersion) { request, body, metadata in
            try await ollamaVersion(.init(decoding: .init(request, body, metadata))).encoded()
        }
        try transport.register(OperationTable.getChatPage) { request, body, metadata in
            try await getChatPage(.init(decoding: .init(request, body, metadata))).encoded()
        }
        try transport.register(OperationTable.getWebAsset) { request, body, metadata in
            try await getWebAsset(.init(decoding: .init(request, body, metadata))).encoded()
        }
        try transport.register(OperationTable.getStatusPage) { request, body, metadata in
            try await getStatusPage(.init(decoding: .init(request, body, metadata))).encoded()
        }
        try transport.register(OperationTable.getStatus) { request, body, metadata in
            try await getStatus(.init(decoding: .init(request, body, metadata))).encoded()
        }
        try transport.register(OperationTable.getUsage) { request, body, metadata in
            try await getUsage(.init(decoding: .init(request, body, metadata))).encoded()
        }
        try transport.register(OperationTable.listKeys) { request, body, metadata in
            try await listKeys(.init(decoding: .init(request, body, metadata))).encoded()
        }
        try transport.register(OperationTable.createKey) { request, body, metadata in
            try await createKey(.init(decoding: .init(request, body, metadata))).encoded()
        }
        try transport.register(OperationTable.retrieveKey) { request, body, metadata in
            try await retrieveKey(.init(decoding: .init(request, body, metadata))).encoded()
        }
        try transport.register(OperationTable.revokeKey) { request, body, metadata in
            try await revokeKey(.init(decoding: .init(request, body, metadata))).encoded()
        }
        try transport.register(OperationTable.rotateKey) { request, body, metadata in
            try await rotateKey(.init(decoding: .init(request, body, metadata))).encoded()
        }
        try transport.register(OperationTable.unloadUpstream) { request, body, metadata in
            try await unloadUpstream(.init(decoding: .init(request, body, metadata))).encoded()
        }
        try transport.register(OperationTable.createPairing) { request, body, metadata in
            try await createPairing(.init(decoding: .init(request, body, metadata))).encoded()
        }
        try transport.register(OperationTable.redeemPairing) { request, body, metadata in
            try await redeemPairing(.init(decoding: .init(request, body, metadata))).encoded()
        }
        try transport.register(OperationTable.inspectRequest) { request, body, metadata in
            try await inspectRequest(.init(decoding: .init(request, body, metadata))).encoded()
        }
        try transport.register(OperationTable.getMetrics) { request, body, metadata in
            try await getMetrics(.init(decoding: .init(request, body, metadata))).encoded()
        }
        try transport.register(OperationTable.getLiveness) { request, body, metadata in
            try await getLiveness(.init(decoding: .init(request, body, metadata))).encoded()
        }
        try transport.register(OperationTable.getReadiness) { request, body, metadata in
            try await getReadiness(.init(decoding: .init(request, body, metadata))).encoded()
        }
        try transport.register(OperationTable.getHealth) { request, body, metadata in
            try await getHealth(.init(decoding: .init(request, body, metadata))).encoded()
        }
        try transport.register(OperationTable.getDocument) { request, body, metadata in
            try await getDocument(.init(decoding: .init(request, body, metadata))).encoded()
        }
        try transport.register(OperationTable.getDocumentAsJSON) { request, body, metadata in
            try await getDocumentAsJSON(.init(decoding: .init(request, body, metadata))).encoded()
        }
        try transport.register(OperationTable.getDocumentation) { request, body, metadata in
            try await getDocumentation(.init(decoding: .init(request, body, metadata))).encoded()
        }
        try transport.register(OperationTable.getDocumentationAsset) { request, body, metadata in
            try await getDocumentationAsset(.init(decoding: .init(request, body, metadata))).encoded()
        }
    }
}
