import HeadgateConfiguration
import HeadgateHTTP
import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// Responses to a prompt that is too long. Agents shorten the conversation only if the error has the words of their
/// API.
@Suite struct ContextOverflowTests {
    private static func message(_ text: String) -> String { #"{"error":{"message":"\#(text)"}}"# }

    /// Responses of providers: status, body, and the sizes that a client of Messages receives.
    static let answers: [(Int, String, String?)] = [
        // OpenAI and Azure.
        (
            400,
            #"{"error":{"message":"Your input exceeds the context window of this model.","code":"context_length_exceeded"}}"#,
            nil
        ),
        (
            400,
            message(
                "This model's maximum context length is 4097 tokens. However, you requested 5000 tokens (4000 in the messages, 1000 in the completion)."
            ), "5000 tokens > 4097"
        ),
        // Anthropic, and the clouds that offer its models.
        (
            400,
            #"{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 208310 tokens > 200000 maximum"}}"#,
            "208310 tokens > 200000"
        ),
        (400, #"{"message":"Input is too long for requested model."}"#, nil),
        // llama.cpp.
        (
            400,
            #"{"error":{"code":400,"message":"request (124315 tokens) exceeds the available context size (123904 tokens), try increasing it","type":"exceed_context_size_error","n_prompt_tokens":124315,"n_ctx":123904}}"#,
            "124315 tokens > 123904"
        ),
        (500, message("Context size has been exceeded."), nil),
        (
            500,
            message(
                "the request exceeds the available context size. try increasing the context size or enable context shift"
            ), nil
        ),
        // vLLM and SGLang.
        (
            400,
            #"{"object":"error","message":"This model's maximum context length is 4096 tokens. However, your request has 5000 input tokens.","type":"BadRequestError","code":400}"#,
            "5000 tokens > 4096"
        ),
        (
            400,
            #"{"object":"error","message":"Requested token count exceeds the model's maximum context length of 262144 tokens. You requested a total of 262462 tokens: 230462 tokens from the input messages and 32000 tokens for the completion."}"#,
            "262462 tokens > 262144"
        ),
        (
            400, message("The input (5000 tokens) is longer than the model's context length (4096 tokens)."),
            "5000 tokens > 4096"
        ),
        (
            422,
            #"{"detail":[{"loc":["body"],"msg":"The decoder prompt (length 5000) is longer than the maximum model length of 4096."}]}"#,
            "5000 tokens > 4096"
        ),
        // Ollama and LM Studio.
        (400, #"{"error":"the input length exceeds the context length"}"#, nil),
        (500, #"{"error":"prompt too long; exceeded max context length by 40 tokens"}"#, nil),
        (
            400,
            message(
                "Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough."
            ), "5000 tokens > 4096"
        ),
        (400, message("The number of tokens to keep from the initial prompt is greater than the context length."), nil),
        // OpenRouter, which embeds its provider's message in a string.
        (
            400,
            #"{"error":{"message":"This endpoint's maximum context length is 1,050,000 tokens. However, you requested about 1,100,000 tokens (1,050,000 of text input, 50,000 in the output).","code":400}}"#,
            "1100000 tokens > 1050000"
        ),
        (
            400,
            #"{"error":{"message":"Provider returned error","code":400,"metadata":{"raw":"{\"error\":{\"message\":\"prompt is too long: 3 tokens > 2 maximum\"}}"}}}"#,
            "3 tokens > 2"
        ),
        // Groq, Cerebras, Mistral, DeepSeek, xAI, Gemini, Moonshot, Copilot, and others.
        (
            413,
            #"{"error":{"message":"Please reduce the length of the messages or completion.","code":"context_length_exceeded"}}"#,
            nil
        ),
        (
            400,
            message(
                "Please reduce the length of the messages or completion. Current length is 9000 while limit is 8192"),
            "9000 tokens > 8192"
        ),
        (
            422,
            #"{"object":"error","message":{"detail":"Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length"},"code":3051}"#,
            "40000 tokens > 32768"
        ),
        (
            400,
            message(
                "This model's maximum context length is 131072 tokens. However, you requested 140000 tokens (132000 in the messages, 8000 in the completion)."
            ), "140000 tokens > 131072"
        ),
        (
            400,
            #"{"code":"Client specified an invalid argument","error":"This model's maximum prompt length is 131072 but the request contains 537812 tokens."}"#,
            "537812 tokens > 131072"
        ),
        (
            400,
            #"[{"error":{"code":400,"message":"The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).","status":"INVALID_ARGUMENT"}}]"#,
            "1200000 tokens > 1048576"
        ),
        (
            400, message("Invalid request: Your request exceeded model token limit: 262144 (requested: 300000)"),
            "300000 tokens > 262144"
        ),
        (
            400,
            #"{"error":{"message":"prompt token count of 150000 exceeds the limit of 128000","code":"model_max_prompt_tokens_exceeded"}}"#,
            "150000 tokens > 128000"
        ),
        (
            422,
            #"{"error":"Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000 `inputs` tokens and 500 `max_new_tokens`"}"#,
            "5000 tokens > 4096"
        ),
        (
            200,
            #"{"choices":null,"base_resp":{"status_code":2013,"status_msg":"invalid params, context window exceeds limit (2013)"}}"#,
            nil
        ),
        (
            200,
            #"{"object":"error","message":"This model's maximum context length is 4096 tokens, and the prompt has 5000.","code":400}"#,
            "5000 tokens > 4096"
        ),
    ]

    @Test(arguments: answers, [false, true])
    func everyProvidersMessageReachesEveryClient(_ answer: (Int, String, String?), _ isStream: Bool) async throws {
        let (status, body, sizes) = answer
        let gateway = DialectGateway(.json(body, status: status))
        for path in ["/v1/chat/completions", "/v1/responses"] {
            let input = path.hasSuffix("s/completions") || path.contains("chat") ? #""messages":[]"# : #""input":"hi""#
            let refused = await gateway.post(path, #"{"model":"plain","stream":\#(isStream),\#(input)}"#)
            #expect(refused.status == 400 && refused.isError(code: "context_length_exceeded"), "\(refused.text)")
        }
        // One native request and one translated request.
        for model in ["claude", "plain"] {
            let refused = await gateway.message(
                #","system":"s""#, model: model, stream: isStream)
            let text = refused.text.lowercased()
            #expect(refused.status == 400 && refused.text.contains(#""type":"invalid_request_error""#))
            #expect(text.contains("prompt is too long"), "\(refused.text)")
            if let sizes { #expect(text.contains("prompt is too long: \(sizes) maximum"), "\(refused.text)") }
        }
        let line = try gateway.running.log.members(of: 0)
        #expect(line["error"] == "context_length_exceeded" && line["outcome"] == "refused")
    }

    @Test(arguments: [
        (400, message("max_tokens is too large: 99999. This model supports at most 16384 completion tokens")),
        (400, message("Unsupported parameter: 'context_window'")), (404, message("maximum context length")),
        (
            413,
            message(
                "Request too large for model `m` on tokens per minute (TPM): Limit 6000, Requested 8000. The input token count exceeds it."
            )
        ),
        (429, message("The number of tokens exceeds your limit, the context window is full")),
        (503, message("prompt is too long")),
    ])
    func otherRefusalsKeepTheirStatus(_ status: Int, _ body: String) async {
        let answer = await DialectGateway(.json(body, status: status)).message()
        #expect(answer.status == status && !answer.text.contains("prompt is too long: "), "\(answer.text)")
    }

    @Test func anthropicsOwnMessagesStayUnchanged() {
        for words in [
            "prompt is too long: 3 tokens > 2 maximum",
            "input length and `max_tokens` exceed context limit: 188059 + 20000 > 200000, decrease input length",
        ] { #expect(ContextOverflow.messagesWording(of: words) == words) }
        #expect(ContextOverflow.messagesWording(of: "Prompt is too long") == "Prompt is too long")
        #expect(ContextOverflow.messagesWording(of: "context full") == "prompt is too long: context full")
    }

    /// A prompt too long for one model can fit into another's context.
    @Test(arguments: [400, 200], [false, true]) func nextTargetIsTried(_ status: Int, _ isStream: Bool) async {
        let overflow = RoutedGateway.Plan.json(
            #"{"object":"error","message":"maximum context length","code":400}"#, status: status)
        let routed = RoutedGateway([[overflow], [isStream ? .stream("Other") : .answer("Other")]])
        #expect(await routed.chat(stream: isStream).text.contains("Other") && routed.sent == [1, 1])
        let failing = RoutedGateway([[overflow], [.json("", status: 503)]])
        let answer = await failing.chat(stream: isStream)
        #expect(answer.status == 400 && answer.isError(code: "context_length_exceeded"))
    }
}
