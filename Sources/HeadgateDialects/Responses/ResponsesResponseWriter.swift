enum ResponsesResponseWriter: ResponseWriter {
    static func write(_ response: ModelResponse, _ context: ResponseContext) -> JSONObject { JSONObject() }
}
