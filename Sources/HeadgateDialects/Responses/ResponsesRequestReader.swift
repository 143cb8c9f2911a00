enum ResponsesRequestReader: RequestReader {
    static func read(_ body: JSONObject, _ losses: inout Losses) throws(TranslationError) -> ModelRequest {
        throw TranslationError("not written")
    }
}
