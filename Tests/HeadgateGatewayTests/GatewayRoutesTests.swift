import HTTPTypes
import HeadgateConfiguration
import HeadgateContract
import HeadgateHTTP
import HeadgatePages
import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// Responses to requests that reach no upstream.
@Suite struct GatewayRoutesTests {
    private let running = InProcessGateway()

    @Test func listingHasEveryRouteOnce() {
        let listed = running.gateway.routes.map { "\($0.method) \($0.path) \($0.operationID)" }
        #expect(
            listed.sorted() == [
                "DELETE /v1/admin/keys/{name} revokeKey",
                "DELETE /v1/conversations/{conversation_id} deleteConversation",
                "DELETE /v1/conversations/{conversation_id}/items/{item_id} deleteConversationItem",
                "DELETE /v1/responses/{response_id} deleteResponse",
                "DELETE /v1/streams/{request_id} stopStream", "GET / getChatPage",
                "GET /api/ps ollamaListRunning", "GET /api/tags ollamaListModels", "GET /api/version ollamaVersion",
                "GET /docs getDocumentation",
                "GET /docs/{asset} getDocumentationAsset", "GET /healthz getHealth", "GET /livez getLiveness",
                "GET /metrics getMetrics", "GET /openapi.json getDocumentAsJSON", "GET /openapi.yaml getDocument",
                "GET /readyz getReadiness",
                "GET /status getStatusPage", "GET /status/data getStatus",
                "GET /v1/admin/keys listKeys", "GET /v1/admin/keys/{name} retrieveKey",
                "GET /v1/admin/requests/{number} inspectRequest",
                "GET /v1/conversations/{conversation_id} retrieveConversation",
                "GET /v1/conversations/{conversation_id}/items listConversationItems",
                "GET /v1/conversations/{conversation_id}/items/{item_id} retrieveConversationItem",
                "GET /v1/models listModels", "GET /v1/models/{model} retrieveModel",
                "GET /v1/responses/{response_id} retrieveResponse",
                "GET /v1/responses/{response_id}/input_items listResponseInputItems",
                "GET /v1/streams/{request_id} resumeStream", "GET /v1/usage getUsage", "GET /web/{asset} getWebAsset",
                "POST /api/chat ollamaChat", "POST /api/embed ollamaEmbed", "POST /api/embeddings ollamaEmbeddings",
                "POST /api/generate ollamaGenerate", "POST /api/show ollamaShowModel",
                "POST /v1/admin/keys createKey", "POST /v1/admin/keys/{name}/rotate rotateKey",
                "POST /v1/admin/pairings createPairing", "POST /v1/admin/upstreams/{name}/unload unloadUpstream",
                "POST /v1/audio/speech createSpeech", "POST /v1/audio/transcriptions createTranscription",
                "POST /v1/audio/translations createTranslation", "POST /v1/chat/completions createChatCompletion",
                "POST /v1/completions createCompletion", "POST /v1/conversations createConversation",
                "POST /v1/conversations/{conversation_id} updateConversation",
                "POST /v1/conversations/{conversation_id}/items createConversationItems",
                "POST /v1/embeddings createEmbedding",
                "POST /v1/images/edits createImageEdit", "POST /v1/images/generations createImage",
                "POST /v1/images/variations createImageVariation", "POST /v1/messages createMessage",
                "POST /v1/messages/count_tokens countMessageTokens", "POST /v1/moderations createModeration",
                "POST /v1/pairings/{code} redeemPairing",
                "POST /v1/rerank createRerank", "POST /v1/responses createResponse",
                "POST /v1/responses/compact compactResponse", "POST /v1/responses/input_tokens countResponseTokens",
                "POST /v1/responses/{response_id}/cancel cancelResponse",
            ])
    }

    @Test func everyOperationHasOneHandlerAndTheReverse() {
        let snapshot = GatewaySnapshot(Configuration(upstreams: [], models: []), upstreams: [])
        let handlers = RouteTable.handlers(CapabilityContext(of: snapshot), Documentation())
        #expect(handlers.keys.sorted() == OperationTable.all.map(\.id).sorted())
    }

    @Test(arguments: ["/livez", "/readyz", "/healthz"]) func healthNeedsNoKeyAndContainsNoData(_ path: String) async {
        let answer = await running.ask(.get, path, key: nil)
        #expect(answer.status == 200 && answer.text == #"{"status":"ok"}"#)
        #expect(answer.headerFields[.cacheControl] == "no-store")
        #expect(await running.ask(.head, path, key: nil).status == 200)
    }

    @Test func drainingGatewayIsAliveButNotReady() async {
        running.gateway.readiness.beginDraining()
        #expect(await running.ask(.get, "/livez", key: nil).status == 200)
        for path in ["/readyz", "/healthz"] {
            let answer = await running.ask(.get, path, key: nil)
            #expect(answer.status == 503 && answer.text == #"{"status":"draining"}"#)
        }
    }

    @Test(arguments: [
        "/v1", "/v1/", "/V1/models", "/v1/%6Dodels", "/livez/x", "/livez/", "//livez", "/openai/v1x/models",
    ])
    func unknownRouteIs404(_ path: String) async {
        for method: HTTPRequest.Method in [.get, .post, .options, .head] {
            let answer = await running.ask(method, path, key: nil)
            #expect(answer.status == 404 && answer.isError(code: "unknown_route"))
        }
    }

    @Test func queryIsNotPartOfTheRoute() async {
        #expect(await running.ask(.get, "/livez?x=/v1/models", key: nil).status == 200)
    }

    @Test(arguments: [
        (HTTPRequest.Method.post, "/livez", "GET, HEAD, OPTIONS"), (.delete, "/v1/models", "GET, HEAD, OPTIONS"),
        (.put, "/v1/models/plain", "GET, HEAD, OPTIONS"), (.get, "/v1/chat/completions", "POST, OPTIONS"),
        (.head, "/v1/chat/completions", "POST, OPTIONS"), (.patch, "/v1/chat/completions", "POST, OPTIONS"),
    ])
    func otherMethodIs405WithAllow(_ method: HTTPRequest.Method, _ path: String, _ allow: String) async {
        let answer = await running.ask(method, path, key: nil)
        #expect(answer.status == 405 && answer.isError(code: "method_not_allowed"))
        #expect(answer.headerFields[.allow] == allow)
    }

    @Test func optionsListsTheMethods() async {
        for path in ["/v1/chat/completions", "/v1/models/a/b", "*"] {
            let answer = await running.ask(.options, path, key: nil)
            #expect(answer.status == 204 && answer.text.isEmpty)
            #expect(answer.headerFields[.allow]?.contains("OPTIONS") == true)
            #expect(!answer.headerFields.contains { $0.name.canonicalName.hasPrefix("access-control") })
        }
    }

    @Test(arguments: ["CONNECT", "BREW", "get"]) func unknownMethodIs501(_ name: String) async throws {
        let method = try #require(HTTPRequest.Method(name))
        let answer = await running.ask(method, "/v1/models")
        #expect(answer.status == 501 && answer.text.hasPrefix(#"{"error":{"#))
    }

    @Test func originGuardPrecedesEveryPath() async throws {
        for path in ["/livez", "/v1/models", "/v1/chat/completions", "/nothing", "*"] {
            for method: HTTPRequest.Method in [.get, .post, .options, try #require(HTTPRequest.Method("BREW"))] {
                let rebound = await running.ask(method, path, host: "evil.example:8686")
                #expect(rebound.status == 421, "\(method) \(path)")
                let page = await running.ask(method, path, headerFields: [.origin: "http://evil.example"])
                #expect(page.status == 403, "\(method) \(path)")
            }
        }
    }

    @Test func keyIsCheckedBeforeTheBody() async {
        for key in [nil, "wrong", InProcessGateway.expiredKey] {
            #expect(await running.ask(.get, "/v1/models", key: key).status == 401)
            #expect(await running.ask(.get, "/v1/models/plain", key: key).status == 401)
            let answer = await running.ask(
                .post, "/v1/chat/completions", key: key, headerFields: [.contentType: "text/plain"], body: "not json")
            #expect(answer.status == 401 && answer.isError(code: "invalid_api_key"))
            #expect(answer.headerFields[.wwwAuthenticate] == "Bearer")
        }
        #expect(running.transport.requests.isEmpty)
    }

    @Test func keylessGatewayServesEveryone() async {
        let keyless = InProcessGateway(isKeyless: true)
        #expect(await keyless.ask(.get, "/v1/models", key: nil).status == 200)
        #expect(await keyless.chat(key: nil).status == 200)
    }

    @Test func everyAnswerHasAnID() async {
        for (method, path): (HTTPRequest.Method, String) in [
            (.get, "/livez"), (.get, "/nothing"), (.put, "/livez"), (.options, "*"),
        ] {
            let given = await running.ask(method, path, headerFields: [.xRequestID: "mine-1"])
            #expect(given.headerFields[.xRequestID] == "mine-1")
            let made = await running.ask(method, path)
            #expect(made.headerFields[.xRequestID]?.utf8.count == 36)
        }
    }

    /// For model names see `UnknownModelTests`.
    @Test func errorsQuoteNothingOfTheRequest() async {
        let answers = [
            await running.ask(.get, "/hunter2"), await running.ask(.get, "/v1/models", key: "hunter2"),
            await running.chat(key: "hunter2"),
            await running.ask(.get, "/livez", host: "hunter2:8686"),
        ]
        for answer in answers {
            #expect(answer.status >= 400 && !answer.text.contains("hunter2"))
            #expect(answer.headerFields[.contentType] == "application/json")
        }
    }
}
