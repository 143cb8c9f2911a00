internal import HeadgateRelay

/// Names from OpenTelemetry's conventions, and the gateway's own. The conventions for generative AI still change.
enum TraceAttribute {
    // HTTP, network, errors.
    static let requestMethod = "http.request.method"
    static let resendCount = "http.request.resend_count"
    static let responseStatus = "http.response.status_code"
    static let route = "http.route"
    static let path = "url.path"
    static let scheme = "url.scheme"
    static let clientAddress = "client.address"
    static let serverAddress = "server.address"
    static let serverPort = "server.port"
    static let userAgent = "user_agent.original"
    static let errorType = "error.type"

    // Generative AI.
    static let operation = "gen_ai.operation.name"
    static let provider = "gen_ai.provider.name"
    static let requestModel = "gen_ai.request.model"
    static let requestStream = "gen_ai.request.stream"
    static let responseModel = "gen_ai.response.model"
    static let responseID = "gen_ai.response.id"
    static let finishReasons = "gen_ai.response.finish_reasons"
    static let timeToFirstChunk = "gen_ai.response.time_to_first_chunk"
    static let inputTokens = "gen_ai.usage.input_tokens"
    static let outputTokens = "gen_ai.usage.output_tokens"
    static let cacheReads = "gen_ai.usage.cache_read.input_tokens"
    static let cacheWrites = "gen_ai.usage.cache_creation.input_tokens"
    static let conversation = "gen_ai.conversation.id"
    static let inputMessages = "gen_ai.input.messages"
    static let outputMessages = "gen_ai.output.messages"

    // The gateway's own, named as in its log.
    static let requestID = "headgate.request_id"
    static let keyName = "headgate.key"
    static let outcome = "headgate.outcome"
    static let model = "headgate.model"
    static let upstream = "headgate.upstream"
    static let attempts = "headgate.attempts"
    static let cache = "headgate.cache"
    static let cost = "headgate.cost_usd"
    static let hedge = "headgate.hedge"
    static let fault = "headgate.fault"
    static let afterDisconnect = "headgate.after_leaving"

    // Events.
    static let firstContent = "first_content"
    static let retry = "retry"
    static let hedgeEvent = "hedge"
    static let cacheEvent = "cache"
    static let faultInjected = "fault_injected"
}
