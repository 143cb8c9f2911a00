internal import HTTPTypes
internal import HeadgateHTTP
internal import JSONBytes

/// `{"error":"text"}`, as a body or as the last line of a stream.
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
