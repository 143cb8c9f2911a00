import HTTPTypes
import HeadgateHTTP
import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// Embeddings, moderations and images: one document each way.
@Suite struct DocumentHandlersTests {
    @Test(arguments: [
        ("/embeddings", "createEmbedding"), ("/moderations", "createModeration"),
        ("/images/generations", "createImage"), ("/rerank", "createRerank"),
    ])
    func documentsPassUnderTheirModel(_ path: String, _ operation: String) async throws {
        let document =
            #"{ "model":"inner","data":[{"embedding":"AAAA","b64_json":"\/9j"}],"results":[{"flagged":false}],"usage":{"prompt_tokens":8,"total_tokens":8} }"#
        let gateway = DialectGateway(.json(document, headerFields: [.contentType: "application/json"]))
        let answer = await gateway.post(
            "/v1" + path, #"{"model":"org/renamed", "input":["a", 1.0],"encoding_format":"base64"}"#)
        #expect(answer.status == 200 && answer.text == document.replacing("inner", with: "org/renamed"))
        let sent = try #require(gateway.openAI.requests.first)
        #expect(sent.head.path == "/v1" + path && sent.operationID == operation)
        #expect(sent.body == #"{"model":"inner", "input":["a", 1.0],"encoding_format":"base64"}"#)
        #expect(sent.head.headerFields[.accept] == "application/json")
        let line = try gateway.running.log.members()
        #expect(line["operation"] == operation && line["prompt_tokens"] == "8" && line["stream"] == nil)
    }

    @Test(
        arguments: [
            (#""encoding_format":"base64","#, "[0.5,-0.25]", #""AAAAPwAAgL4=""#),
            (#""encoding_format":"base64","#, #""AAAAPwAAgL4=""#, #""AAAAPwAAgL4=""#),
            (#""encoding_format":"float","#, #""AAAAPwAAgL4=""#, "[0.5,-0.25]"),
            (#""encoding_format":"float","#, "[0.5, -0.25]", "[0.5, -0.25]"),
            ("", #""AAAAPwAAgL4=""#, "[0.5,-0.25]"), (#""encoding_format":null,"#, "[1]", "[1]"),
            (#""encoding_format":"ubinary","#, #""AAAAPwAAgL4=""#, #""AAAAPwAAgL4=""#),
            (#""encoding_format":7,"#, "[1]", "[1]"),
        ])
    func embeddingsHaveTheRequestedEncoding(_ wish: String, _ sent: String, _ expected: String) async throws {
        func document(_ vector: String, model: String) -> String {
            #"{"object":"list","model":"\#(model)", "data":[{"index":0,"embedding":\#(vector)}],"#
                + #""usage":{"prompt_tokens":8,"total_tokens":8}}"#
        }
        let gateway = DialectGateway(.json(document(sent, model: "inner")))
        let answer = await gateway.post("/v1/embeddings", #"{"model":"org/renamed",\#(wish)"input":"a"}"#)
        #expect(answer.status == 200 && answer.text == document(expected, model: "org/renamed"))
        #expect(gateway.openAI.requests.map(\.body) == [#"{"model":"inner",\#(wish)"input":"a"}"#])
        let other = await gateway.post("/v1/moderations", #"{"model":"org/renamed",\#(wish)"input":"a"}"#)
        #expect(other.text == document(sent, model: "org/renamed"))
    }

    @Test func encodingIsReadOnceAndByItsName() async {
        for members in [#""encoding_format":"float","encoding_format":"base64""#, #""Encoding_Format":"base64""#] {
            let answer = await DialectGateway().post("/v1/embeddings", #"{"model":"plain",\#(members)}"#)
            #expect(answer.status == 400 && answer.text.contains("encoding_format"))
        }
    }

    @Test func upstreamIsCalledBelowItsBaseURL() async {
        let gateway = DialectGateway()
        _ = await gateway.post("/embeddings", #"{"model":"two"}"#)
        _ = await gateway.post("/v1/embeddings", #"{"model":"two"}"#)
        #expect(gateway.second.requests.map(\.head.path) == ["/embeddings", "/embeddings"])
    }

    @Test(arguments: ["/v1/embeddings", "/v1/moderations", "/v1/images/generations", "/v1/rerank"])
    func errorWithStatus200IsAnError(_ path: String) async {
        for body in [#"{"error":{"message":"m","code":"c"}}"#, #"{"error":"m"}"#] {
            let answer = await DialectGateway(.json(body)).post(path, #"{"model":"plain"}"#)
            #expect(answer.status == 502 && answer.text.contains(#""message":"m""#))
        }
        for body in ["<html>", "", "[]"] {
            let answer = await DialectGateway(.json(body)).post(path, #"{"model":"plain"}"#)
            #expect(answer.status == 502 && answer.isError(code: "upstream_invalid_json"))
        }
    }

    // MARK: Dialects

    @Test(arguments: RelayRoute.all.filter { !$0.isOfEveryModel && $0.path != "/responses/compact" })
    func unsupportedDialectIsRefused(
        _ route: RelayRoute
    ) async {
        let others = route.isAnthropic ? ["plain", "two", "deployed", "dated"] : ["claude", "org/claude"]
        let gateway = DialectGateway()
        for model in others {
            let answer = await gateway.post("/v1" + route.path, #"{"model":"\#(model)"\#(route.rest)}"#)
            #expect(answer.status == 400, "\(answer.text)")
            #expect(answer.text.contains("Anthropic's Messages") && answer.text.contains("OpenAI's "))
            #expect(answer.text.hasPrefix(#"{"type":"error","#) == route.isAnthropic)
        }
        #expect(gateway.sent.isEmpty)
    }

    @Test func refusalNamesTheModelAndTheUpstream() async {
        let answer = await DialectGateway().post("/v1/embeddings", #"{"model":"claude","input":"i"}"#)
        #expect(answer.isError(code: "dialect_not_spoken") && answer.text.contains(#""param":"model""#))
        #expect(answer.text.contains("'claude'"))
    }

    // MARK: Response fields

    @Test(
        arguments: [
            (true, 0, nil, true), (false, 0, nil, false), (true, 1, nil, false), (true, 0, false, false),
            (false, 0, true, true),
        ] as [(Bool, Int, Bool?, Bool)])
    func rateLimitsPassToTheirOwnerOrIfAllowed(
        _ hasOneKey: Bool, _ callersWithoutKey: Int, _ configured: Bool?, _ pass: Bool
    ) async throws {
        func field(_ text: String) throws -> HTTPField.Name { try #require(HTTPField.Name(text)) }
        var fields: HTTPFields = [.setCookie: "a=b", .server: "s", .contentType: "audio/mpeg"]
        let limits = [
            "x-ratelimit-remaining-tokens": "7", "X-RateLimit-Reset-Requests": "6m0s",
            "anthropic-ratelimit-tokens-reset": "2026-11-21T00:00:00Z",
        ]
        for (name, value) in limits { fields[try field(name)] = value }
        fields[try field("openai-organization")] = "org"
        fields[try field("x-ratelimits")] = "no"
        for status in [200, 429] {
            for route in RelayRoute.all {
                let gateway = DialectGateway(
                    .json("{}", status: status, headerFields: fields), hasOneKey: hasOneKey,
                    callersWithoutKey: callersWithoutKey, relaysRateLimits: configured)
                let answer = await gateway.post("/v1" + route.path, route.body)
                #expect(answer.status == status)
                for (name, value) in limits {
                    #expect(answer.headerFields[try field(name)] == (pass ? value : nil), "\(name)")
                }
                for name in ["openai-organization", "set-cookie", "server", "x-ratelimits"] {
                    #expect(answer.headerFields[try field(name)] == nil)
                }
            }
        }
    }

    @Test(arguments: [
        ("250", "250"), ("0", "0"), ("999999999", "120000"), ("99999999999999999999999", "120000"), ("-1", nil),
        ("1.5", nil), ("", nil),
    ])
    func hintsForRetriesPassInBounds(_ milliseconds: String, _ expected: String?) async {
        for word in ["true", "false", "maybe"] {
            let gateway = DialectGateway(
                .json("{}", status: 429, headerFields: [.retryAfterMilliseconds: milliseconds, .xShouldRetry: word]))
            let answer = await gateway.response()
            #expect(answer.headerFields[.retryAfterMilliseconds] == expected)
            #expect(answer.headerFields[.xShouldRetry] == (word == "maybe" ? nil : word))
        }
    }

    @Test func configuredClientHeadersAreForwarded() async throws {
        let name = try #require(HTTPField.Name("x-trace"))
        let gateway = DialectGateway(forwardedHeaders: ["x-trace"])
        _ = await gateway.post("/v1/embeddings", #"{"model":"plain"}"#, headerFields: [name: "t-1", .cookie: "c"])
        let sent = try #require(gateway.openAI.requests.first).head.headerFields
        #expect(sent[name] == "t-1" && sent[.cookie] == nil)
    }

    @Test func configuredHeaderReplacesTheGateways() async throws {
        let gateway = DialectGateway(forwardedHeaders: ["user-agent", "anthropic-beta", "anthropic-version"])
        let fields: HTTPFields = [.userAgent: "Mine/1", .anthropicBeta: "a,b", .anthropicVersion: "v"]
        _ = await gateway.message(headerFields: fields)
        _ = await gateway.message()
        let given = try #require(gateway.anthropic.requests.first).head.headerFields
        for (name, value): (HTTPField.Name, String) in [
            (.userAgent, "Mine/1"), (.anthropicBeta, "a,b"), (.anthropicVersion, "v"),
        ] {
            #expect(given[values: name] == [value])
        }
        let own = try #require(gateway.anthropic.requests.last).head.headerFields
        #expect(own[values: .userAgent] == ["headgate"] && own[values: .anthropicVersion] == ["2023-06-01"])
    }
}
