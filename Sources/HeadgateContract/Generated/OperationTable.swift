// Generated from openapi.yaml by openapi-generator; do not edit.

internal import HTTPTypes

/// Every operation of the contract, in its order.
package enum OperationTable {
    package static let all = [
        createChatCompletion,
        createCompletion,
        createEmbedding,
        createModeration,
        createImage,
        createImageEdit,
        createImageVariation,
        createSpeech,
        createTranscription,
        createTranslation,
        createRerank,
        createResponse,
        compactResponse,
        countResponseTokens,
        retrieveResponse,
        deleteResponse,
        cancelResponse,
        listResponseInputItems,
        createConversation,
        retrieveConversation,
        updateConversation,
        deleteConversation,
        listConversationItems,
        createConversationItems,
        retrieveConversationItem,
        deleteConversationItem,
        resumeStream,
        stopStream,
        createMessage,
        countMessageTokens,
        listModels,
        retrieveModel,
        ollamaChat,
        ollamaGenerate,
        ollamaEmbed,
        ollamaEmbeddings,
        ollamaListModels,
        ollamaShowModel,
        ollamaListRunning,
        ollamaVersion,
        getChatPage,
        getWebAsset,
        getStatusPage,
        getStatus,
        getUsage,
        listKeys,
        createKey,
        retrieveKey,
        revokeKey,
        rotateKey,
        unloadUpstream,
        createPairing,
        redeemPairing,
        inspectRequest,
        getMetrics,
        getLiveness,
        getReadiness,
        getHealth,
        getDocument,
        getDocumentAsJSON,
        getDocumentation,
        getDocumentationAsset,
    ]

    package static let createChatCompletion = OperationDescription(
        id: "createChatCompletion",
        method: .post,
        paths: ["/v1/chat/completions", "/chat/completions"],
        authentication: .key,
        requestBody: .json,
        relay: .openaiChat,
        responseContentTypes: ["application/json", "text/event-stream", "application/vnd.headgate.explanation+json"]
    )

    package static let createCompletion = OperationDescription(
        id: "createCompletion",
        method: .post,
        paths: ["/v1/completions", "/completions"],
        authentication: .key,
        requestBody: .json,
        relay: .openaiCompletions,
        responseContentTypes: ["application/json", "text/event-stream", "application/vnd.headgate.explanation+json"]
    )

    package static let createEmbedding = OperationDescription(
        id: "createEmbedding",
        method: .post,
        paths: ["/v1/embeddings", "/embeddings"],
        authentication: .key,
        requestBody: .json,
        relay: .openaiEmbeddings,
        responseContentTypes: ["application/json", "application/vnd.headgate.explanation+json"]
    )

    package static let createModeration = OperationDescription(
        id: "createModeration",
        method: .post,
        paths: ["/v1/moderations", "/moderations"],
        authentication: .key,
        requestBody: .json,
        relay: .openaiModerations,
        responseContentTypes: ["application/json", "application/vnd.headgate.explanation+json"]
    )

    package static let createImage = OperationDescription(
        id: "createImage",
        method: .post,
        paths: ["/v1/images/generations", "/images/generations"],
        authentication: .key,
        requestBody: .json,
        relay: .openaiImages,
        responseContentTypes: ["application/json", "application/vnd.headgate.explanation+json"]
    )

    package static let createImageEdit = OperationDescription(
        id: "createImageEdit",
        method: .post,
        paths: ["/v1/images/edits", "/images/edits"],
        authentication: .key,
        requestBody: .form,
        relay: .openaiImageEdits,
        responseContentTypes: ["application/json", "text/event-stream"]
    )

    package static let createImageVariation = OperationDescription(
        id: "createImageVariation",
        method: .post,
        paths: ["/v1/images/variations", "/images/variations"],
        authentication: .key,
        requestBody: .form,
        relay: .openaiImageVariations,
        responseContentTypes: ["application/json", "text/event-stream"]
    )

    package static let createSpeech = OperationDescription(
        id: "createSpeech",
        method: .post,
        paths: ["/v1/audio/speech", "/audio/speech"],
        authentication: .key,
        requestBody: .json,
        relay: .openaiSpeech,
        responseContentTypes: ["audio/*", "application/octet-stream", "application/vnd.headgate.explanation+json"]
    )

    package static let createTranscription = OperationDescription(
        id: "createTranscription",
        method: .post,
        paths: ["/v1/audio/transcriptions", "/audio/transcriptions"],
        authentication: .key,
        requestBody: .form,
        relay: .openaiTranscriptions,
        responseContentTypes: [
            "application/json", "text/plain", "text/vtt", "application/x-subrip", "text/event-stream",
        ]
    )

    package static let createTranslation = OperationDescription(
        id: "createTranslation",
        method: .post,
        paths: ["/v1/audio/translations", "/audio/translations"],
        authentication: .key,
        requestBody: .form,
        relay: .openaiTranslations,
        responseContentTypes: [
            "application/json", "text/plain", "text/vtt", "application/x-subrip", "text/event-stream",
        ]
    )

    package static let createRerank = OperationDescription(
        id: "createRerank",
        method: .post,
        paths: ["/v1/rerank", "/rerank"],
        authentication: .key,
        requestBody: .json,
        relay: .rerank,
        responseContentTypes: ["application/json", "application/vnd.headgate.explanation+json"]
    )

    package static let createResponse = OperationDescription(
        id: "createResponse",
        method: .post,
        paths: ["/v1/responses", "/responses"],
        authentication: .key,
        requestBody: .json,
        relay: .openaiResponses,
        responseContentTypes: ["application/json", "text/event-stream", "application/vnd.headgate.explanation+json"]
    )

    package static let compactResponse = OperationDescription(
        id: "compactResponse",
        method: .post,
        paths: ["/v1/responses/compact", "/responses/compact"],
        authentication: .key,
        requestBody: .json,
        relay: .openaiResponseCompaction,
        responseContentTypes: ["application/json", "application/vnd.headgate.explanation+json"]
    )

    package static let countResponseTokens = OperationDescription(
        id: "countResponseTokens",
        method: .post,
        paths: ["/v1/responses/input_tokens", "/responses/input_tokens"],
        authentication: .key,
        requestBody: .json,
        relay: .openaiCountTokens,
        responseContentTypes: ["application/json", "application/vnd.headgate.explanation+json"]
    )

    package static let retrieveResponse = OperationDescription(
        id: "retrieveResponse",
        method: .get,
        paths: ["/v1/responses/{response_id}", "/responses/{response_id}"],
        authentication: .key,
        requestBody: .none,
        relay: .openaiResponseObject,
        responseContentTypes: ["application/json", "text/event-stream"]
    )

    package static let deleteResponse = OperationDescription(
        id: "deleteResponse",
        method: .delete,
        paths: ["/v1/responses/{response_id}", "/responses/{response_id}"],
        authentication: .key,
        requestBody: .none,
        relay: .openaiResponseObject,
        responseContentTypes: ["application/json"]
    )

    package static let cancelResponse = OperationDescription(
        id: "cancelResponse",
        method: .post,
        paths: ["/v1/responses/{response_id}/cancel", "/responses/{response_id}/cancel"],
        authentication: .key,
        requestBody: .none,
        relay: .openaiResponseObject,
        responseContentTypes: ["application/json"]
    )

    package static let listResponseInputItems = OperationDescription(
        id: "listResponseInputItems",
        method: .get,
        paths: ["/v1/responses/{response_id}/input_items", "/responses/{response_id}/input_items"],
        authentication: .key,
        requestBody: .none,
        relay: .openaiResponseObject,
        responseContentTypes: ["application/json"]
    )

    package static let createConversation = OperationDescription(
        id: "createConversation",
        method: .post,
        paths: ["/v1/conversations", "/conversations"],
        authentication: .key,
        requestBody: .json,
        relay: .openaiConversations,
        responseContentTypes: ["application/json"]
    )

    package static let retrieveConversation = OperationDescription(
        id: "retrieveConversation",
        method: .get,
        paths: ["/v1/conversations/{conversation_id}", "/conversations/{conversation_id}"],
        authentication: .key,
        requestBody: .none,
        relay: .openaiConversations,
        responseContentTypes: ["application/json"]
    )

    package static let updateConversation = OperationDescription(
        id: "updateConversation",
        method: .post,
        paths: ["/v1/conversations/{conversation_id}", "/conversations/{conversation_id}"],
        authentication: .key,
        requestBody: .json,
        relay: .openaiConversations,
        responseContentTypes: ["application/json"]
    )

    package static let deleteConversation = OperationDescription(
        id: "deleteConversation",
        method: .delete,
        paths: ["/v1/conversations/{conversation_id}", "/conversations/{conversation_id}"],
        authentication: .key,
        requestBody: .none,
        relay: .openaiConversations,
        responseContentTypes: ["application/json"]
    )

    package static let listConversationItems = OperationDescription(
        id: "listConversationItems",
        method: .get,
        paths: ["/v1/conversations/{conversation_id}/items", "/conversations/{conversation_id}/items"],
        authentication: .key,
        requestBody: .none,
        relay: .openaiConversations,
        responseContentTypes: ["application/json"]
    )

    package static let createConversationItems = OperationDescription(
        id: "createConversationItems",
        method: .post,
        paths: ["/v1/conversations/{conversation_id}/items", "/conversations/{conversation_id}/items"],
        authentication: .key,
        requestBody: .json,
        relay: .openaiConversations,
        responseContentTypes: ["application/json"]
    )

    package static let retrieveConversationItem = OperationDescription(
        id: "retrieveConversationItem",
        method: .get,
        paths: [
            "/v1/conversations/{conversation_id}/items/{item_id}", "/conversations/{conversation_id}/items/{item_id}",
        ],
        authentication: .key,
        requestBody: .none,
        relay: .openaiConversations,
        responseContentTypes: ["application/json"]
    )

    package static let deleteConversationItem = OperationDescription(
        id: "deleteConversationItem",
        method: .delete,
        paths: [
            "/v1/conversations/{conversation_id}/items/{item_id}", "/conversations/{conversation_id}/items/{item_id}",
        ],
        authentication: .key,
        requestBody: .none,
        relay: .openaiConversations,
        responseContentTypes: ["application/json"]
    )

    package static let resumeStream = OperationDescription(
        id: "resumeStream",
        method: .get,
        paths: ["/v1/streams/{request_id}", "/streams/{request_id}"],
        authentication: .key,
        requestBody: .none,
        relay: nil,
        responseContentTypes: ["text/event-stream"]
    )

    package static let stopStream = OperationDescription(
        id: "stopStream",
        method: .delete,
        paths: ["/v1/streams/{request_id}", "/streams/{request_id}"],
        authentication: .key,
        requestBody: .none,
        relay: nil,
        responseContentTypes: ["application/json"]
    )

    package static let createMessage = OperationDescription(
        id: "createMessage",
        method: .post,
        paths: ["/v1/messages", "/messages"],
        authentication: .key,
        requestBody: .json,
        relay: .anthropicMessages,
        responseContentTypes: ["application/json", "text/event-stream", "application/vnd.headgate.explanation+json"]
    )

    package static let countMessageTokens = OperationDescription(
        id: "countMessageTokens",
        method: .post,
        paths: ["/v1/messages/count_tokens", "/messages/count_tokens"],
        authentication: .key,
        requestBody: .json,
        relay: .anthropicCountTokens,
        responseContentTypes: ["application/json", "application/vnd.headgate.explanation+json"]
    )

    package static let listModels = OperationDescription(
        id: "listModels",
        method: .get,
        paths: ["/v1/models", "/models"],
        authentication: .key,
        requestBody: .none,
        relay: nil,
        responseContentTypes: ["application/json"]
    )

    package static let retrieveModel = OperationDescription(
        id: "retrieveModel",
        method: .get,
        paths: ["/v1/models/{model}", "/models/{model}"],
        authentication: .key,
        requestBody: .none,
        relay: nil,
        responseContentTypes: ["application/json"]
    )

    package static let ollamaChat = OperationDescription(
        id: "ollamaChat",
        method: .post,
        paths: ["/api/chat"],
        authentication: .key,
        requestBody: .json,
        relay: .ollama,
        responseContentTypes: ["application/json", "application/x-ndjson", "application/vnd.headgate.explanation+json"]
    )

    package static let ollamaGenerate = OperationDescription(
        id: "ollamaGenerate",
        method: .post,
        paths: ["/api/generate"],
        authentication: .key,
        requestBody: .json,
        relay: .ollama,
        responseContentTypes: ["application/json", "application/x-ndjson", "application/vnd.headgate.explanation+json"]
    )

    package static let ollamaEmbed = OperationDescription(
        id: "ollamaEmbed",
        method: .post,
        paths: ["/api/embed"],
        authentication: .key,
        requestBody: .json,
        relay: .ollama,
        responseContentTypes: ["application/json", "application/vnd.headgate.explanation+json"]
    )

    package static let ollamaEmbeddings = OperationDescription(
        id: "ollamaEmbeddings",
        method: .post,
        paths: ["/api/embeddings"],
        authentication: .key,
        requestBody: .json,
        relay: .ollama,
        responseContentTypes: ["application/json", "application/vnd.headgate.explanation+json"]
    )

    package static let ollamaListModels = OperationDescription(
        id: "ollamaListModels",
        method: .get,
        paths: ["/api/tags"],
        authentication: .key,
        requestBody: .none,
        relay: nil,
        responseContentTypes: ["application/json"]
    )

    package static let ollamaShowModel = OperationDescription(
        id: "ollamaShowModel",
        method: .post,
        paths: ["/api/show"],
        authentication: .key,
        requestBody: .json,
        relay: .ollama,
        responseContentTypes: ["application/json"]
    )

    package static let ollamaListRunning = OperationDescription(
        id: "ollamaListRunning",
        method: .get,
        paths: ["/api/ps"],
        authentication: .key,
        requestBody: .none,
        relay: nil,
        responseContentTypes: ["application/json"]
    )

    package static let ollamaVersion = OperationDescription(
        id: "ollamaVersion",
        method: .get,
        paths: ["/api/version"],
        authentication: .none,
        requestBody: .none,
        relay: nil,
        responseContentTypes: ["application/json"]
    )

    package static let getChatPage = OperationDescription(
        id: "getChatPage",
        method: .get,
        paths: ["/"],
        authentication: .none,
        requestBody: .none,
        relay: nil,
        responseContentTypes: ["text/html"]
    )

    package static let getWebAsset = OperationDescription(
        id: "getWebAsset",
        method: .get,
        paths: ["/web/{asset}"],
        authentication: .none,
        requestBody: .none,
        relay: nil,
        responseContentTypes: ["text/javascript", "text/css", "image/svg+xml"]
    )

    package static let getStatusPage = OperationDescription(
        id: "getStatusPage",
        method: .get,
        paths: ["/status"],
        authentication: .none,
        requestBody: .none,
        relay: nil,
        responseContentTypes: ["text/html"]
    )

    package static let getStatus = OperationDescription(
        id: "getStatus",
        method: .get,
        paths: ["/status/data"],
        authentication: .key,
        requestBody: .none,
        relay: nil,
        responseContentTypes: ["application/json"]
    )

    package static let getUsage = OperationDescription(
        id: "getUsage",
        method: .get,
        paths: ["/v1/usage", "/usage"],
        authentication: .key,
        requestBody: .none,
        relay: nil,
        responseContentTypes: ["application/json"]
    )

    package static let listKeys = OperationDescription(
        id: "listKeys",
        method: .get,
        paths: ["/v1/admin/keys", "/admin/keys"],
        authentication: .key,
        requestBody: .none,
        relay: nil,
        responseContentTypes: ["application/json"]
    )

    package static let createKey = OperationDescription(
        id: "createKey",
        method: .post,
        paths: ["/v1/admin/keys", "/admin/keys"],
        authentication: .key,
        requestBody: .json,
        relay: nil,
        responseContentTypes: ["application/json"]
    )

    package static let retrieveKey = OperationDescription(
        id: "retrieveKey",
        method: .get,
        paths: ["/v1/admin/keys/{name}", "/admin/keys/{name}"],
        authentication: .key,
        requestBody: .none,
        relay: nil,
        responseContentTypes: ["application/json"]
    )

    package static let revokeKey = OperationDescription(
        id: "revokeKey",
        method: .delete,
        paths: ["/v1/admin/keys/{name}", "/admin/keys/{name}"],
        authentication: .key,
        requestBody: .none,
        relay: nil,
        responseContentTypes: ["application/json"]
    )

    package static let rotateKey = OperationDescription(
        id: "rotateKey",
        method: .post,
        paths: ["/v1/admin/keys/{name}/rotate", "/admin/keys/{name}/rotate"],
        authentication: .key,
        requestBody: .json,
        relay: nil,
        responseContentTypes: ["application/json"]
    )

    package static let unloadUpstream = OperationDescription(
        id: "unloadUpstream",
        method: .post,
        paths: ["/v1/admin/upstreams/{name}/unload", "/admin/upstreams/{name}/unload"],
        authentication: .key,
        requestBody: .none,
        relay: nil,
        responseContentTypes: ["application/json"]
    )

    package static let createPairing = OperationDescription(
        id: "createPairing",
        method: .post,
        paths: ["/v1/admin/pairings", "/admin/pairings"],
        authentication: .key,
        requestBody: .json,
        relay: nil,
        responseContentTypes: ["application/json"]
    )

    package static let redeemPairing = OperationDescription(
        id: "redeemPairing",
        method: .post,
        paths: ["/v1/pairings/{code}", "/pairings/{code}"],
        authentication: .none,
        requestBody: .none,
        relay: nil,
        responseContentTypes: ["application/json"]
    )

    package static let inspectRequest = OperationDescription(
        id: "inspectRequest",
        method: .get,
        paths: ["/v1/admin/requests/{number}", "/admin/requests/{number}"],
        authentication: .key,
        requestBody: .none,
        relay: nil,
        responseContentTypes: ["application/json"]
    )

    package static let getMetrics = OperationDescription(
        id: "getMetrics",
        method: .get,
        paths: ["/metrics"],
        authentication: .key,
        requestBody: .none,
        relay: nil,
        responseContentTypes: ["text/plain", "application/openmetrics-text"]
    )

    package static let getLiveness = OperationDescription(
        id: "getLiveness",
        method: .get,
        paths: ["/livez"],
        authentication: .none,
        requestBody: .none,
        relay: nil,
        responseContentTypes: ["application/json"]
    )

    package static let getReadiness = OperationDescription(
        id: "getReadiness",
        method: .get,
        paths: ["/readyz"],
        authentication: .none,
        requestBody: .none,
        relay: nil,
        responseContentTypes: ["application/json"]
    )

    package static let getHealth = OperationDescription(
        id: "getHealth",
        method: .get,
        paths: ["/healthz"],
        authentication: .none,
        requestBody: .none,
        relay: nil,
        responseContentTypes: ["application/json"]
    )

    package static let getDocument = OperationDescription(
        id: "getDocument",
        method: .get,
        paths: ["/openapi.yaml"],
        authentication: .none,
        requestBody: .none,
        relay: nil,
        responseContentTypes: ["application/yaml"]
    )

    package static let getDocumentAsJSON = OperationDescription(
        id: "getDocumentAsJSON",
        method: .get,
        paths: ["/openapi.json"],
        authentication: .none,
        requestBody: .none,
        relay: nil,
        responseContentTypes: ["application/json"]
    )

    package static let getDocumentation = OperationDescription(
        id: "getDocumentation",
        method: .get,
        paths: ["/docs"],
        authentication: .none,
        requestBody: .none,
        relay: nil,
        responseContentTypes: ["text/html"]
    )

    package static let getDocumentationAsset = OperationDescription(
        id: "getDocumentationAsset",
        method: .get,
        paths: ["/docs/{asset}"],
        authentication: .none,
        requestBody: .none,
        relay: nil,
        responseContentTypes: ["text/javascript", "text/css", "image/png"]
    )
}

/// What the body of a relayed operation is, as `x-headgate-relay` names it.
package enum RelayDialect: String, Sendable, CaseIterable {
    case openaiChat = "openai-chat"
    case openaiCompletions = "openai-completions"
    case openaiEmbeddings = "openai-embeddings"
    case openaiModerations = "openai-moderations"
    case openaiImages = "openai-images"
    case openaiImageEdits = "openai-image-edits"
    case openaiImageVariations = "openai-image-variations"
    case openaiSpeech = "openai-speech"
    case openaiTranscriptions = "openai-transcriptions"
    case openaiTranslations = "openai-translations"
    case rerank = "rerank"
    case openaiResponses = "openai-responses"
    case openaiResponseCompaction = "openai-response-compaction"
    case openaiCountTokens = "openai-count-tokens"
    case openaiResponseObject = "openai-response-object"
    case openaiConversations = "openai-conversations"
    case anthropicMessages = "anthropic-messages"
    case anthropicCountTokens = "anthropic-count-tokens"
    case ollama = "ollama"
}
