internal import HTTPTypes
internal import HeadgateHTTP
internal import JSONBytes
internal import ServerSentEvents

/// Errors in OpenAI's format: `{"error":{"message","type","param","code"}}`, as a body or as a stream's last event.
enum OpenAIErrorEnvelope {
    static func body(_ error: GatewayError) -> [UInt8] {
        var output = Array("{\"error\":{\"message\":".utf8)
        JSONEscaping.append(error.message, to: &output)
        append("type", error.type, to: &output)
        append("param", error.parameter, to: &output)
        append("code", error.code, to: &output)
        output.append(contentsOf: "}}".utf8)
        return output
    }

    static func response(_ error: GatewayError) -> ServerResponse {
        var head = HTTPResponse(status: HTTPResponse.Status(code: error.status), headerFields: error.headerFields)
        head.headerFields[.contentType] = "application/json"
        return ServerResponse(head, .bytes(body(error)))
    }

    /// Appends the event that ends a broken stream. No `[DONE]` follows it.
    static func appendEvent(_ error: GatewayError, to output: inout [UInt8]) {
        body(error).withUnsafeBytes { ServerSentEventEncoder.append(data: $0, to: &output) }
    }

    private static func append(_ name: StaticString, _ value: String?, to output: inout [UInt8]) {
        output.append(contentsOf: ",\"\(name)\":".utf8)
        if let value { JSONEscaping.append(value, to: &output) } else { output.append(contentsOf: "null".utf8) }
    }
}

/// Errors in Ollama's format: `{"error":"text"}`, as a body or as the last line of a stream.
enum OllamaErrorEnvelope {
    static func response(_ error: GatewayError) -> ServerResponse {
        var head = HTTPResponse(status: HTTPResponse.Status(code: error.status), headerFields: error.headerFields)
        head.headerFields[.contentType] = "application/json"
        return ServerResponse(head, .bytes(body(error)))
    }

    static func appendLine(_ error: GatewayError, to output: inout [UInt8]) {
        output += body(error)
        output.append(UInt8(ascii: "\n"))
    }

    private static func body(_ error: GatewayError) -> [UInt8] {
        var output = Array("{\"error\":".utf8)
        JSONEscaping.append(error.message, to: &output)
        output.append(UInt8(ascii: "}"))
        return output
    }
}
