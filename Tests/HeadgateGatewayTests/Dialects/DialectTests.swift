import HTTPTypes
import HeadgateHTTP
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// Errors in the format of each dialect.
@Suite struct DialectTests {
    private func dialect(_ path: String?, version: String? = nil) -> Dialect {
        var fields: HTTPFields = [:]
        fields[.anthropicVersion] = version
        return Dialect(
            unrouted: RequestHead(
                HTTPRequest(method: .get, scheme: nil, authority: nil, path: path, headerFields: fields)))
    }

    @Test(arguments: [
        "/v1/messages", "/messages", "/v1/messages?beta=true", "/v1/messages/count_tokens", "/messages/x/y",
    ])
    func routesOfAnthropicSpeakIt(_ path: String) {
        guard case .anthropic = dialect(path) else {
            Issue.record("\(path) is \(dialect(path))")
            return
        }
    }

    @Test(arguments: [
        "/v1/chat/completions", "/v1/responses", "/v1/models", "/", "/v1", "/messagesx", "/v1/v1/messages", "*",
        "/x?/v1/messages", "/v2/messages",
    ])
    func otherRoutesSpeakOpenAI(_ path: String) {
        guard case .openAI = dialect(path) else {
            Issue.record("\(path) is \(dialect(path))")
            return
        }
    }

    @Test func modelListUsesTheCallersDialect() {
        for path in ["/v1/models", "/models", "/v1/models/a/b", "/models?x"] {
            if case .anthropic = dialect(path) { Issue.record("\(path)") }
            if case .openAI = dialect(path, version: "x") { Issue.record("\(path)") }
        }
        if case .anthropic = dialect("/v1/chat/completions", version: "x") { Issue.record("the version decided") }
        if case .anthropic = dialect(nil) { Issue.record("no path is no route") }
    }

    @Test func everyOperationHasItsDialect() {
        for (id, name) in [
            ("createMessage", "Anthropic's Messages"), ("countMessageTokens", "Anthropic's Messages"),
            ("compactResponse", "OpenAI's Responses"), ("countResponseTokens", "OpenAI's Responses"),
            ("createResponse", "OpenAI's Responses"), ("retrieveResponse", "OpenAI's Responses"),
            ("createChatCompletion", "OpenAI's API"), ("createCompletion", "OpenAI's API"),
            ("deleteResponse", "OpenAI's Responses"), ("getStatus", "OpenAI's API"), ("listModels", nil),
            ("retrieveModel", nil), ("ollamaChat", "Ollama's API"), ("ollamaVersion", "Ollama's API"),
        ] {
            #expect(Dialect.ofRoutes(id)?.name == name)
        }
    }

    // MARK: Anthropic

    private func text(_ response: ServerResponse) -> String {
        guard case .bytes(let bytes)? = response.body else { return "" }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test(arguments: [
        (400, "invalid_request_error"), (401, "authentication_error"), (402, "billing_error"),
        (403, "permission_error"),
        (404, "not_found_error"), (405, "invalid_request_error"), (408, "timeout_error"), (409, "conflict_error"),
        (413, "request_too_large"), (415, "invalid_request_error"), (421, "invalid_request_error"),
        (422, "invalid_request_error"), (429, "rate_limit_error"), (500, "api_error"), (501, "api_error"),
        (502, "api_error"), (503, "overloaded_error"), (504, "timeout_error"), (529, "overloaded_error"),
    ])
    func statusHasItsType(_ status: Int, _ type: String) {
        for own in ["server_error", "rate_limits", ""] {
            let error = GatewayError(
                status, type: own, code: "c", message: "a \"b\"\n", cause: .gatewayFailed, headerFields: [.allow: "GET"]
            )
            let response = Dialect.anthropic.response(error, requestID: "id-1")
            #expect(response.head.status == status && response.head.response.headerFields[.allow] == "GET")
            #expect(
                text(response)
                    == #"{"type":"error","error":{"type":"\#(type)","message":"a \"b\"\n"},"request_id":"id-1"}"#)
        }
    }

    @Test(arguments: [
        "authentication_error", "billing_error", "permission_error", "not_found_error", "conflict_error",
        "request_too_large", "rate_limit_error", "timeout_error", "overloaded_error", "api_error",
        "invalid_request_error",
    ])
    func upstreamsErrorTypeStays(_ type: String) {
        let error = GatewayError(502, type: type, message: "m", cause: .errorInSuccess)
        #expect(text(Dialect.anthropic.response(error, requestID: "")).contains(#""error":{"type":"\#(type)","#))
    }

    // MARK: Events

    private func event(_ dialect: Dialect, _ error: GatewayError, _ answer: BrokenResponse = BrokenResponse()) -> String
    {
        var output: [UInt8] = []
        dialect.appendEvent(error, of: answer, to: &output)
        return String(decoding: output, as: UTF8.self)
    }

    @Test func errorEventIsOneDataLineWhateverItsMessage() {
        let error = GatewayError(
            502, type: "t\n", code: "c\r", message: "a\r\nb\u{2028}\u{0}\"", cause: .errorInSuccess)
        for dialect in [Dialect.openAI, .responses, .anthropic] {
            let text = event(dialect, error)
            #expect(text.components(of: "\n").filter { $0.hasPrefix("data: ") }.count == 1)
            #expect(text.hasSuffix("}\n\n") && !text.contains("\r") && !text.contains("[DONE]"))
            #expect(text.utf8.filter { $0 == 0x0A }.count == (dialect.name == "OpenAI's API" ? 2 : 3))
        }
    }

    @Test func failedResponseIsCompleteWithAnyKnownData() {
        let nothing = event(.responses, .incompleteStream())
        #expect(nothing.contains(#""sequence_number":0,"response":{"id":"resp_failed","object":"response","#))
        #expect(nothing.contains(#""model":"","error":{"code":"server_error","#))
        let known = BrokenResponse(
            requestID: "r", idLiteral: Array(#""resp_1""#.utf8), modelLiteral: Array(#""m""#.utf8), sequenceNumber: 42)
        let all = event(.responses, GatewayError(429, type: "t", message: "m", cause: .errorInSuccess), known)
        #expect(all.contains(#""sequence_number":42,"response":{"id":"resp_1","#))
        #expect(all.contains(#""model":"m","error":{"code":"rate_limit_exceeded","message":"m"}"#))
    }
}

extension String {
    fileprivate func components(of separator: Character) -> [Substring] { split(separator: separator) }
}
