/// Inputs of the drivers, equal to those of the load generator (`Benchmarks/load`) if it has them.
enum Samples {
    static let clientKey = "sk-headgate-of-the-drivers"

    /// - Parameter authority: value of the `Host` header.
    static func request(isStream: Bool = false, authority: String = "127.0.0.1:8686") -> [UInt8] {
        let body = isStream ? streamBody : requestBody
        return bytes(
            "POST /v1/chat/completions HTTP/1.1\r\nHost: \(authority)\r\nAuthorization: Bearer \(clientKey)\r\n"
                + "User-Agent: load/1\r\nAccept: */*\r\nContent-Type: application/json\r\nContent-Length: \(body.count)\r\n\r\n"
        ) + body
    }

    static let requestBody = body(stream: "false")
    static let streamBody = body(stream: "true")

    private static func body(stream: String) -> [UInt8] {
        bytes(
            #"{"model":"mock","messages":[{"role":"system","content":"You are a helpful assistant."},"#
                + #"{"role":"user","content":"What is a headgate, and what stands behind it? Answer in one sentence."}],"#
                + #""temperature":0.7,"max_tokens":256,"stream":\#(stream),"metadata":{"request":7,"events":50}}"#)
    }

    /// A chat of some length: 14 messages with escapes and text beyond ASCII, about 5 KB.
    static let longRequestBody: [UInt8] = {
        let question = #"Wie funktioniert ein Wehr? \"Headgate\" heißt es auf Englisch.\n"#
        let answer = String(
            repeating: "It stands at the head of a canal and decides what flows in, and how fast. ", count: 8)
        let turns = (0..<7).map { _ in
            #"{"role":"user","content":"\#(question)"},{"role":"assistant","content":"\#(answer)"}"#
        }
        return bytes(#"{"temperature":0.7,"model":"mock","messages":[\#(turns.joined(separator: ","))],"stream":true}"#)
    }()

    static let answerBody = bytes(
        #"{"id":"chatcmpl-benchmark","object":"chat.completion","created":1760000000,"model":"mock","#
            + #""choices":[{"index":0,"message":{"role":"assistant","content":"00000007: A headgate stands at the "#
            + #"head of a canal and decides what flows into it, and how fast.","refusal":null},"logprobs":null,"#
            + #""finish_reason":"stop"}],"usage":{"prompt_tokens":21,"completion_tokens":19,"total_tokens":40},"#
            + #""system_fingerprint":"fp_benchmark"}"#)

    static let responseHead = bytes(
        "HTTP/1.1 200 OK\r\nServer: mock\r\nContent-Type: application/json\r\nContent-Length: \(answerBody.count)\r\n\r\n"
    )
    static let answer = responseHead + answerBody

    static let streamHead = bytes(
        "HTTP/1.1 200 OK\r\nServer: mock\r\nContent-Type: text/event-stream\r\nCache-Control: no-cache\r\n"
            + "Transfer-Encoding: chunked\r\n\r\n")

    /// One chunk of a chat stream.
    static let chunkDocument = bytes(
        #"{"id":"chatcmpl-benchmark","object":"chat.completion.chunk","created":1760000000,"model":"mock","#
            + #""system_fingerprint":"fp_benchmark","choices":[{"index":0,"delta":{"content":"00000007.000042"},"#
            + #""logprobs":null,"finish_reason":null}]}"#)
    static let event = bytes("data: ") + chunkDocument + bytes("\n\n")
    static let done = bytes("data: [DONE]\n\n")

    /// 1 MiB of whole events.
    static let eventStream = repeated(event, count: (1 << 20) / event.count)

    static func repeated(_ bytes: [UInt8], count: Int) -> [UInt8] {
        Array(repeatElement(bytes, count: count).joined())
    }

    /// The bytes as one chunk of the chunked coding.
    static func chunked(_ data: [UInt8]) -> [UInt8] {
        bytes(String(data.count, radix: 16) + "\r\n") + data + bytes("\r\n")
    }

    static let lastChunk = bytes("0\r\n\r\n")

    private static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }
}
