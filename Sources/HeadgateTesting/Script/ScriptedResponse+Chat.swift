internal import JSONBytes

/// Responses in the formats of OpenAI's chat completions.
extension ScriptedResponse {
    private static let promptTokens = 9

    /// Returns a stream of a role chunk, one chunk per word, one with the finish reason, usage if the request asked for
    /// it, and `[DONE]`.
    ///
    /// - Parameters:
    ///   - words: The words, which are sent unchanged and must include their spaces.
    ///   - delay: The delay before each word.
    package static func chatStream(
        words: [String], delay: Duration = .zero, model: String = "scripted", finishReason: String = "stop"
    ) -> ScriptedResponse {
        func chunk(_ delta: String, finish: String = "null") -> String {
            let choice = #"{"index":0,"delta":\#(delta),"logprobs":null,"finish_reason":\#(finish)}"#
            return sseData(#"{\#(head("chat.completion.chunk", model)),"choices":[\#(choice)]}"#)
        }
        var chunks = [ScriptedChunk(chunk(#"{"role":"assistant","content":""}"#))]
        chunks += words.map { ScriptedChunk(chunk(#"{"content":\#(literal($0))}"#), delay: delay) }
        chunks.append(ScriptedChunk(chunk("{}", finish: literal(finishReason))))
        var usage = ScriptedChunk(
            sseData(#"{\#(head("chat.completion.chunk", model)),"choices":[],\#(self.usage(words.count))}"#))
        usage.onlyWithUsage = true
        chunks.append(usage)
        chunks.append(ScriptedChunk(sseData("[DONE]")))
        return ScriptedResponse(headers: ["Content-Type": "text/event-stream; charset=utf-8"], chunks: chunks)
    }

    /// Returns a whole response, with usage.
    package static func chatCompletion(
        _ text: String, model: String = "scripted", finishReason: String = "stop"
    ) -> ScriptedResponse {
        let message = #"{"role":"assistant","content":\#(literal(text)),"refusal":null}"#
        let choice = #"{"index":0,"message":\#(message),"logprobs":null,"finish_reason":\#(literal(finishReason))}"#
        let words = text.split(separator: " ").count
        return .json(#"{\#(head("chat.completion", model)),"choices":[\#(choice)],\#(usage(words))}"#)
    }

    /// Returns an error in OpenAI's format.
    package static func openAIError(
        status: Int, message: String, type: String = "invalid_request_error", code: String? = nil,
        headers: HeaderLines = [:]
    ) -> ScriptedResponse {
        let code = code.map(literal) ?? "null"
        let error = #"{"message":\#(literal(message)),"type":\#(literal(type)),"param":null,"code":\#(code)}"#
        return .json(status: status, #"{"error":\#(error)}"#, headers: headers)
    }

    private static func head(_ object: String, _ model: String) -> String {
        #""id":"chatcmpl-scripted","object":"\#(object)","created":1700000000,"model":\#(literal(model))"#
    }

    private static func usage(_ words: Int) -> String {
        let total = promptTokens + words
        return #""usage":{"prompt_tokens":\#(promptTokens),"completion_tokens":\#(words),"total_tokens":\#(total)}"#
    }

    private static func literal(_ text: String) -> String {
        var bytes: [UInt8] = []
        JSONEscaping.append(text, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}
