import Foundation
import HTTPTypes
import HeadgateConfiguration
import HeadgateGateway
import HeadgateHTTP
import HeadgateRelay
import HeadgateTesting
import Testing

/// Unknown models in responses to clients and on `/status`.
@Suite struct UnknownModelTests {
    private func message(_ answer: InProcessGateway.Response) throws -> String {
        let document = try JSONSerialization.jsonObject(with: Data(answer.text.utf8)) as? [String: [String: Any]]
        return try #require(document?["error"]?["message"] as? String)
    }

    private func models(_ running: InProcessGateway) async throws -> [String?] {
        let answer = await running.ask(.get, "/status/data")
        let status = try JSONSerialization.jsonObject(with: Data(answer.text.utf8)) as? [String: Any]
        return try #require(status?["recent"] as? [[String: Any]]).map { $0["model"] as? String }
    }

    @Test func refusalNamesTheModelOnEveryRoute() async throws {
        let running = InProcessGateway()
        let chat = await running.chat(model: "gpt-9")
        #expect(chat.status == 404 && chat.isError(code: "model_not_found"))
        #expect(try message(chat).hasPrefix("The model 'gpt-9' is not configured here."))
        let listed = await running.ask(.get, "/v1/models/org%2Fgpt-9")
        #expect(try message(listed).hasPrefix("The model 'org/gpt-9' is not configured here."))
        let spoken = await running.ask(
            .post, "/v1/messages", body: #"{"model":"gpt-9","max_tokens":1,"messages":[]}"#)
        #expect(spoken.status == 404 && spoken.text.contains("The model 'gpt-9' is not configured here."))
    }

    @Test func refusalListsTheModels() async throws {
        let names = (1...10).map { "model-\($0)" }
        let transport = PlannedTransport(.json("{}"))
        let upstream = UpstreamDefinition(
            name: "up", baseURL: BaseURL(endpoint: .tls(host: "api.example", port: 443), pathPrefix: "/v1"),
            credential: Secret(InProcessGateway.upstreamKey), headers: [], transport: transport)
        let running = InProcessGateway(
            transport: transport, upstreams: [upstream],
            models: names.map { ModelConfiguration(name: $0, upstream: "up") }, keys: InProcessGateway.keys)
        let told = try message(await running.chat(model: "gpt-9"))
        #expect(told.contains("There are 'model-1', 'model-2'") && told.contains("'model-8' and 2 more."))
        // A key for one model is never shown another.
        let limited = await running.ask(
            .post, "/v1/chat/completions", key: InProcessGateway.limitedKey,
            body: #"{"model":"plain","messages":[]}"#)
        #expect(limited.status == 404 && !limited.text.contains("model-1"))
    }

    @Test(arguments: [
        // The name in the JSON of a request, and as messages show it.
        (#"a\nb"#, #"a\u{a}b"#), (#"a\u0000b\u007f"#, #"a\u{0}b\u{7f}"#), (#"\u009b31m"#, #"\u{9b}31m"#),
        (#"x\u202ey\u2066z"#, #"x\u{202e}y\u{2066}z"#), (#"x\u2028y"#, #"x\u{2028}y"#),
        (#"it's \"q\" `c` \\"#, #"it\'s \"q\" \`c\` \\"#), ("café", "café"),
    ])
    func nameIsShownEscaped(_ json: String, _ shown: String) async throws {
        let running = InProcessGateway()
        #expect(try message(await running.chat(model: json)).hasPrefix("The model '\(shown)' is not"))
        #expect(try await models(running) == [shown])
    }

    @Test func longNameIsCut() async throws {
        let running = InProcessGateway()
        let shown = String(repeating: "é", count: 64) + "..."
        #expect(
            try message(await running.chat(model: String(repeating: "é", count: 200))).hasPrefix(
                "The model '\(shown)' is"))
        let escaped = try message(await running.chat(model: String(repeating: #"\u0001"#, count: 70)))
        #expect(escaped.utf8.count < 600)
        let path = String(repeating: "x", count: 300)
        #expect(
            try message(await running.ask(.get, "/v1/models/\(path)")).hasPrefix("The model '\(path.prefix(64))...' is")
        )
    }

    /// A request for a model that the key may not use is listed as well.
    @Test func statusShowsTheRequestedModel() async throws {
        let running = InProcessGateway()
        _ = await running.chat(model: "gpt-9")
        _ = await running.chat(model: "org/renamed", key: InProcessGateway.limitedKey)
        _ = await running.ask(.get, "/v1/models/gpt-8")
        _ = await running.ask(.get, "/v1/models/any-%zz")
        #expect(try await models(running) == ["any-%zz", "gpt-8", "org/renamed", "gpt-9"])
        // Names that are not configured never become labels.
        let logged = try (0..<running.log.all.count).compactMap { try running.log.members(of: $0)["model"] }
        #expect(logged.isEmpty)
    }
}
