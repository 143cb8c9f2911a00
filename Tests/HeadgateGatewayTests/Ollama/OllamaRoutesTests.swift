import HTTPTypes
import HeadgateConfiguration
import HeadgateDialects
import HeadgateHTTP
import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

@Suite("Ollama's routes")
struct OllamaRoutesTests {
    private typealias Plan = PlannedTransport.Plan

    private static let question = #""messages":[{"role":"user","content":"x"}]"#
    private static let chat = #"{"model":"org/renamed:latest",\#(question),"stream":false}"#

    private func member(_ path: [String], of text: String) -> JSONValue? {
        path.reduce(try? JSONValue(Array(text.utf8))) { $0?[$1] }
    }

    // MARK: Chats

    @Test("respond without streaming on request, under the requested name")
    func whole() async throws {
        let gateway = DialectGateway(openAI: .answer("Hi"))
        let response = await gateway.post("/api/chat", Self.chat)
        #expect(response.status == 200 && response.headerFields[.contentType] == "application/json")
        #expect(member(["message", "content"], of: response.text) == "Hi")
        #expect(member(["model"], of: response.text) == "org/renamed:latest")
        #expect(member(["done"], of: response.text) == true)
        let sent = try #require(gateway.openAI.requests.first)
        #expect(sent.head.path == "/v1/chat/completions" && sent.body.contains(#""model":"inner""#))
        #expect(!sent.body.contains(#""stream""#))
    }

    private static let stream = [Plan.role, Plan.content("Hel"), Plan.content("l\u{F6}"), Plan.finish, Plan.done]

    private func lines(
        _ chunks: [String], end: Result<Void, TransportError>? = .success(())
    ) async -> InProcessGateway.Response {
        let gateway = DialectGateway(openAI: Plan(headerFields: Plan.events, chunks: chunks, end: end))
        return await gateway.post("/api/chat", #"{"model":"plain",\#(Self.question)}"#)
    }

    @Test("are streams of lines by default")
    func streams() async {
        let response = await lines(Self.stream)
        #expect(response.headerFields[.contentType] == "application/x-ndjson")
        let lines = response.text.split(separator: "\n").map(String.init)
        #expect(lines.map { member(["message", "content"], of: $0) } == ["Hel", "l\u{F6}", ""])
        #expect(lines.map { member(["done"], of: $0) } == [false, false, true])
        #expect(response.text.hasSuffix("}\n"))
    }

    @Test("have the same content for every split of the upstream's bytes")
    func splits() async {
        let bytes = Array(Self.stream.joined().utf8)
        let whole = await lines(Self.stream).text
        for place in 1..<bytes.count {
            let parts = [bytes[..<place], bytes[place...]]
            // Chunks of the plan are strings, so the stream is never split within a character.
            guard let chunks = parts.map({ String(validating: $0, as: UTF8.self) }) as? [String] else { continue }
            #expect(await lines(chunks).text == whole)
        }
    }

    @Test(
        "end with an error and are never done if the upstream's stream breaks off",
        arguments: [Result<Void, TransportError>.success(()), .failure(TransportError(.truncatedBody))])
    func cut(end: Result<Void, TransportError>) async throws {
        let lines = await lines([Plan.role, Plan.content("Hel")], end: end).text.split(separator: "\n")
        #expect(lines.count == 2)
        #expect(!lines.joined().contains(#""done":true"#))
        let last = try #require(lines.last)
        #expect(member(["error"], of: String(last))?.string?.isEmpty == false)
    }

    @Test("report errors as a text")
    func errors() async {
        let gateway = DialectGateway(openAI: .json(#"{"error":{"message":"too many"}}"#, status: 429))
        let limited = await gateway.post("/api/chat", Self.chat)
        #expect(limited.status == 429 && limited.text == #"{"error":"too many"}"#)
        let unknown = await gateway.post("/api/chat", #"{"model":"nobody",\#(Self.question)}"#)
        #expect(unknown.status == 404 && member(["error"], of: unknown.text)?.string?.contains("nobody") == true)
        let keyless = await gateway.post("/api/generate", #"{"model":"plain","prompt":"x"}"#, key: nil)
        #expect(keyless.status == 401 && member(["error"], of: keyless.text)?.string != nil)
        let broken = await gateway.post("/api/chat", "{")
        #expect(broken.status == 400 && member(["error"], of: broken.text)?.string != nil)
        let wrong = await gateway.post("/api/chat", #"{"model":"plain","messages":[{"role":"king"}]}"#)
        #expect(wrong.status == 400 && wrong.text.contains("messages[0].role"))
    }

    @Test("name members that the upstream's API lacks")
    func dropped() async {
        let gateway = DialectGateway(openAI: .answer("Hi"))
        let response = await gateway.post(
            "/api/chat",
            #"{"model":"plain","stream":false,\#(Self.question),"options":{"num_ctx":1},"keep_alive":"1m"}"#)
        #expect(response.headerFields[.xHeadgateDropped] == "options.num_ctx")
    }

    @Test("translate for every kind of upstream")
    func anthropic() async throws {
        let gateway = DialectGateway(
            anthropic: .json(
                #"{"id":"a","type":"message","role":"assistant","content":[{"type":"text","text":"Hi"}],"#
                    + #""stop_reason":"max_tokens","usage":{"input_tokens":3,"output_tokens":4}}"#))
        let response = await gateway.post(
            "/api/generate", #"{"model":"org/claude","prompt":"Hello","system":"Be brief.","stream":false}"#)
        #expect(member(["response"], of: response.text) == "Hi")
        #expect(member(["done_reason"], of: response.text) == "length")
        #expect(member(["prompt_eval_count"], of: response.text) == 3)
        let sent = try #require(gateway.anthropic.requests.first)
        #expect(sent.head.path == "/v1/messages" && sent.body.contains("Be brief."))
    }

    // MARK: Without a prompt

    @Test(
        "respond at once without a prompt, and call no upstream",
        arguments: [
            ("/api/generate", #"{"model":"plain"}"#, "load"),
            ("/api/chat", #"{"model":"plain","messages":[]}"#, "load"),
            ("/api/generate", #"{"model":"plain","prompt":"","keep_alive":0}"#, "unload"),
            ("/api/generate", #"{"model":"plain","keep_alive":"0s","prompt":""}"#, "unload"),
            ("/api/generate", #"{"model":"plain","keep_alive":"10m"}"#, "load"),
        ])
    func empty(path: String, body: String, reason: String) async {
        let gateway = DialectGateway()
        let response = await gateway.post(path, body)
        #expect(response.status == 200 && gateway.sent.isEmpty)
        #expect(member(["done"], of: response.text) == true)
        #expect(member(["done_reason"], of: response.text)?.string == reason)
    }

    @Test("load no model that is missing, or not for this key")
    func emptyForNobody() async {
        let gateway = DialectGateway()
        #expect(await gateway.post("/api/generate", #"{"model":"nobody"}"#).status == 404)
        let limited = await gateway.post(
            "/api/generate", #"{"model":"claude"}"#, key: InProcessGateway.limitedKey)
        #expect(limited.status == 403)
    }

    // MARK: Embeddings

    @Test("return embeddings in both of Ollama's forms")
    func embeddings() async throws {
        let gateway = DialectGateway(
            openAI: .json(#"{"object":"list","data":[{"index":0,"embedding":[0.5,1]}],"usage":{"prompt_tokens":2}}"#))
        let list = await gateway.post("/api/embed", #"{"model":"org/renamed:latest","input":["a"],"truncate":true}"#)
        #expect(member(["embeddings"], of: list.text)?.array == [[.number("0.5"), 1]])
        #expect(member(["model"], of: list.text) == "org/renamed:latest")
        #expect(list.headerFields[.xHeadgateDropped] == "truncate")
        let sent = try #require(gateway.openAI.requests.first)
        #expect(sent.head.path == "/v1/embeddings" && sent.operationID == "createEmbedding")
        #expect(sent.body == #"{"model":"inner","input":["a"],"encoding_format":"float"}"#)
        let single = await gateway.post("/api/embeddings", #"{"model":"plain","prompt":"a"}"#)
        #expect(single.text == #"{"embedding":[0.5,1]}"#)
        #expect(await gateway.post("/api/embeddings", #"{"model":"plain"}"#).text == #"{"embedding":[]}"#)
        let refused = await gateway.post("/api/embed", #"{"model":"claude","input":"a"}"#)
        #expect(refused.status == 400 && member(["error"], of: refused.text)?.string?.contains("Ollama") == true)
    }

    @Test("accept nothing else for embeddings")
    func noEmbeddings() async {
        let gateway = DialectGateway(openAI: .json(#"{"data":[{"embedding":"AAAA"}]}"#))
        let response = await gateway.post("/api/embed", #"{"model":"plain","input":"a"}"#)
        #expect(response.status == 502 && response.text.contains("embeddings"))
    }

    // MARK: Models

    @Test("list the models of this key")
    func tags() async {
        let gateway = DialectGateway()
        let all = await gateway.running.ask(.get, "/api/tags")
        let names = member(["models"], of: all.text)?.array?.compactMap { $0["name"]?.string }
        #expect(names == ["plain", "org/renamed", "two", "claude", "org/claude", "deployed", "dated"])
        #expect(member(["models"], of: all.text)?.array?.first?["digest"]?.string?.count == 64)
        let limited = await gateway.running.ask(.get, "/api/tags", key: InProcessGateway.limitedKey)
        #expect(member(["models"], of: limited.text)?.array?.count == 1)
        #expect(await gateway.running.ask(.get, "/api/ps").text == #"{"models":[]}"#)
    }

    @Test("show the known data of a model, and nothing of others")
    func show() async {
        let gateway = DialectGateway()
        let shown = await gateway.post("/api/show", #"{"name":"claude:latest"}"#)
        #expect(member(["capabilities"], of: shown.text) == ["completion", "tools", "vision"])
        #expect(member(["model_info", "general.architecture"], of: shown.text) == "headgate")
        let other = await gateway.post("/api/show", #"{"model":"plain"}"#)
        #expect(member(["capabilities"], of: other.text) == ["completion", "tools"])
        let hidden = await gateway.post("/api/show", #"{"model":"claude"}"#, key: InProcessGateway.limitedKey)
        #expect(hidden.status == 404 && hidden.text.hasPrefix(#"{"error":"The model"#))
        #expect(await gateway.post("/api/show", "{}").status == 400)
    }

    @Test("report their version without a key")
    func version() async {
        let response = await DialectGateway().running.ask(.get, "/api/version", key: nil)
        #expect(response.status == 200 && member(["version"], of: response.text) != nil)
    }

    @Test(
        "suggest alternatives to missing features",
        arguments: ["/api/pull", "/api/push", "/api/create", "/api/copy", "/api/delete", "/api/blobs/sha256:0"])
    func unsupported(path: String) async {
        let response = await DialectGateway().post(path, #"{"model":"plain"}"#)
        #expect(response.status == 501)
        #expect(member(["error"], of: response.text)?.string?.contains("keeps no files of models") == true)
    }

    @Test(
        "report that features of ollama.com are not available",
        arguments: ["/api/me", "/api/status", "/api/experimental/web_search"])
    func ofTheirCloud(path: String) async {
        let response = await DialectGateway().running.ask(.get, path)
        #expect(response.status == 501)
        let error = member(["error"], of: response.text)?.string ?? ""
        #expect(error.hasPrefix("Headgate ") && !error.contains("files"))
    }

    @Test("report unknown routes and wrong methods in their format")
    func unknown() async {
        let gateway = DialectGateway()
        let unknown = await gateway.post("/api/pulled", "{}")
        #expect(unknown.status == 404 && member(["error"], of: unknown.text)?.string != nil)
        let method = await gateway.running.ask(.get, "/api/chat")
        #expect(method.status == 405 && member(["error"], of: method.text)?.string != nil)
    }

    // MARK: Names

    @Test("names mean one model with and without the usual tag")
    func names() {
        let gateway = DialectGateway()
        let models = gateway.running.gateway.snapshot.relay.models
        let names = OllamaNames(
            models: models, discovery: ModelDiscovery([], models: models, realtime: { 0 }))
        func resolved(_ name: String) -> String { names.resolved(name, for: .keyless) }
        #expect(resolved("plain:latest") == "plain")
        #expect(resolved("plain") == "plain")
        #expect(resolved("plain:7b") == "plain:7b")
        #expect(resolved("dated-x:latest") == "dated-x:latest")
        #expect(resolved(":latest") == ":latest")
    }
}
