enum ResponsesResponseReader: ResponseReader {
    static func read(_ document: JSONObject) throws(ResponseFault) -> ModelResponse { throw .unexpected }
}
