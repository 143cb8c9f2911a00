import Foundation
import HTTPTypes
import HeadgateConfiguration
import HeadgateHTTP
import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

private let asked: HTTPFields = [HTTPField.Name("x-headgate-explain")!: "1"]

@Suite struct ExplanationTests {
    private func object(_ answer: InProcessGateway.Response) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(answer.text.utf8)) as? [String: Any], "\(answer.text)")
    }

    private func targets(_ answer: InProcessGateway.Response) throws -> [[String: Any]] {
        try #require(object(answer)["targets"] as? [[String: Any]])
    }

    private func request(_ answer: InProcessGateway.Response) throws -> [String: Any] {
        try #require(object(answer)["request"] as? [String: Any])
    }

    private func states(_ answer: InProcessGateway.Response) throws -> [String] {
        try targets(answer).map { "\($0["upstream"] ?? "") \($0["state"] ?? "")" }
    }

    // MARK: Content

    @Test func continuedResponseIsExplainedForTheUpstreamThatHasIt() async throws {
        let made = ["a", "b"].map {
            [PlannedTransport.Plan.json(#"{"id":"resp_\#($0)","status":"completed","output":[]}"#)]
        }
        let gateway = RoutedGateway(made) { model, _ in model.choice = .weighted }
        func respond(_ extra: String = "", _ fields: HTTPFields = [:]) async -> InProcessGateway.Response {
            await gateway.running.ask(
                .post, "/v1/responses", headerFields: fields, body: #"{"model":"m","input":"hi"\#(extra)}"#)
        }
        while await respond().headerFields[.xHeadgateUpstream] != "b" {}
        let answer = await respond(#","previous_response_id":"resp_b""#, asked)
        #expect(try states(answer) == ["b ready"])
        #expect(try object(answer)["order_is_random"] as? Bool == false)
        #expect(try request(answer)["upstream"] as? String == "b")
    }

    @Test func explanationNamesTargetsRulesAndTheRequestAndSendsNothing() async throws {
        let gateway = RoutedGateway([[.answer("a")], [.answer("b")]]) { model, upstreams in
            model.targets[0].model = "inner"
            model.targets[0].weight = 3
            model.targets[0].parameters = ParameterRules(
                defaults: [.init(name: "top_p", json: Array("0.5".utf8))],
                overrides: [.init(name: "seed", json: Array("7".utf8))], strip: ["user"])
            model.affinity = .promptCacheKey
            model.total = .seconds(60)
            upstreams[1].maximumInFlight = 4
        }
        let answer = await gateway.chat(extra: #","user":"u","seed":1"#, headerFields: asked)
        #expect(answer.status == 200)
        #expect(answer.headerFields[.contentType] == "application/vnd.headgate.explanation+json")
        let document = try object(answer)
        #expect(document["operation"] as? String == "createChatCompletion")
        #expect(document["matched"] as? String == "m" && document["is_pattern"] as? Bool == false)
        #expect(document["choose"] as? String == "first" && document["order_is_random"] as? Bool == false)
        #expect(document["total_timeout_ms"] as? Int == 60_000)
        let affinity = try #require(document["affinity"] as? [String: Any])
        #expect(affinity["rule"] as? String == "prompt_cache_key" && affinity["has_key"] as? Bool == false)
        #expect(try states(answer) == ["a ready", "b ready"])
        #expect(try targets(answer)[0]["weight"] as? Int == 3)
        #expect(try targets(answer)[1]["limit"] as? Int == 4 && targets(answer)[1]["waiting"] as? Int == 0)
        let rules = try #require(document["rules"] as? [[String: Any]])
        #expect(
            rules.map {
                "\($0["rule"]!) \($0["member"]!) \($0["changed"]!) \($0["before"] ?? "-") \($0["after"] ?? "-")"
            }
                == [
                    "default top_p 1 - 0.5", "override seed 1 1 7", "strip user 1 u -", "model model 1 m inner",
                    "usage stream_options.include_usage 1 - 1",
                ])
        #expect(gateway.sent == [0, 0])
    }

    @Test func requestIsTheOneThatWouldBeSent() async throws {
        let gateway = RoutedGateway([[.answer("a")]]) { model, upstreams in
            model.targets[0].model = "inner"
            upstreams[0].forwardedHeaders = ["x-mine"]
        }
        let mine = try #require(HTTPField.Name("x-mine"))
        let explained = await gateway.chat(stream: false, headerFields: asked + [mine: "it's"])
        _ = await gateway.chat(stream: false, headerFields: [mine: "it's"])
        let sent = try #require(gateway.transports[0].requests.first)
        let request = try request(explained)
        let fields = try #require(request["fields"] as? [[String: String]]).map { "\($0["name"]!): \($0["value"]!)" }
        let real = sent.head.headerFields.map {
            "\($0.name.rawName): \($0.name == .authorization ? "Bearer ***" : $0.value)"
        }
        #expect(fields == ["Host: a.example"] + real + ["Content-Length: \(sent.body.utf8.count)"])
        #expect(request["url"] as? String == "https://a.example/v1/chat/completions")
        let curl = try #require(request["curl"] as? String)
        #expect(curl.hasPrefix("curl -s 'https://a.example/v1/chat/completions' -H "))
        #expect(curl.contains(#"-H 'x-mine: it'\''s'"#))
        #expect(curl.hasSuffix("--data-binary '\(sent.body)'"))
    }

    @Test func requestIsForTheFirstUnskippedTarget() async throws {
        let state = GatewayState()
        let gateway = RoutedGateway([[.answer("a")], [.answer("b")]], state: state)
        let health = state.targets.health(of: TargetName(upstream: "a", model: "m"))
        for _ in 0..<10 { health.noteFailure(at: 1, threshold: 5, cooldown: 1_000_000_000_000) }
        let answer = await gateway.chat(headerFields: asked)
        #expect(try states(answer) == ["b ready", "a breaker_open"])
        #expect(try request(answer)["upstream"] as? String == "b")
    }

    @Test func laterTargetIsNotSkipped() async throws {
        let state = GatewayState()
        let gateway = RoutedGateway([[.answer("a")], [.answer("b")]], state: state)
        let health = state.targets.health(of: TargetName(upstream: "a", model: "m"))
        for _ in 0..<10 { health.noteFailure(at: 1, threshold: 5, cooldown: 1_000_000_000_000) }
        state.targets.reach(of: "b").noteCheck(isHealthy: false)
        let answer = await gateway.chat(headerFields: asked)
        #expect(try states(answer) == ["a breaker_open", "b unhealthy"])
        #expect(try request(answer)["upstream"] as? String == "b")
    }

    @Test func usageRequestedByTheClientIsNotARule() async throws {
        let gateway = RoutedGateway([[.answer("a")]])
        let answer = await gateway.chat(extra: #","stream_options":{"include_usage":true}"#, headerFields: asked)
        #expect(try object(answer)["rules"] as? [[String: String]] == [])
    }

    @Test func headerWithoutAValueIsInTheCommandToo() throws {
        let definition = UpstreamDefinition(
            name: "up", baseURL: BaseURL(endpoint: .tcp(host: "up.example", port: 80), pathPrefix: ""), credential: nil,
            transport: PlannedTransport(.json("{}")))
        let mine = try #require(HTTPField.Name("x-mine"))
        let head = HTTPRequest(
            method: .post, scheme: nil, authority: "up.example", path: "/", headerFields: [mine: ""])
        let mask = SecretMask([], client: RequestHead(head).fields)
        let request = ExplainedRequest(
            to: Upstream(definition), head, body: Array("{}".utf8), isStream: false, mask)
        #expect(request.curl == "curl -s 'http://up.example/' -H 'x-mine;' --data-binary '{}'")
    }

    @Test func patternAndOtherDialectAreShown() async throws {
        let gateway = DialectGateway()
        let dated = await gateway.post(
            "/v1/chat/completions", #"{"model":"dated-x","messages":[]}"#, headerFields: asked)
        #expect(try object(dated)["matched"] as? String == "dated-*")
        #expect(try object(dated)["is_pattern"] as? Bool == true)
        #expect(
            try request(dated)["url"] as? String
                == "https://azure-dated.example/openai/deployments/dated-x/chat/completions?api-version=2024-10-21")
        let mixed = RoutedGateway([[.answer("a")], [.answer("b")]]) {
            $1[0] = UpstreamConfiguration(name: "a", kind: .anthropic)
        }
        let completion = await mixed.running.ask(
            .post, "/v1/completions", headerFields: asked, body: #"{"model":"m","prompt":"p"}"#)
        #expect(try states(completion) == ["b ready", "a other_dialect"])
        #expect(try states(await mixed.chat(headerFields: asked)) == ["a ready", "b ready"])
    }

    @Test func requestWithoutATargetIsRefused() async throws {
        let gateway = RoutedGateway([[.answer("a")], [.answer("b")]]) { model, upstreams in
            var condition = TargetCondition()
            condition.tools = true
            model.targets[0].condition = condition
            upstreams[1] = UpstreamConfiguration(name: "b", kind: .anthropic)
        }
        for fields in [asked, [:]] {
            let answer = await gateway.running.ask(
                .post, "/v1/completions", headerFields: fields, body: #"{"model":"m","prompt":"p"}"#)
            #expect(answer.status == 400, "\(answer.text)")
        }
        #expect(gateway.sent == [0, 0])
    }

    @Test func targetForOtherRequestsIsShown() async throws {
        let gateway = RoutedGateway([[.answer("a")], [.answer("b")]]) { model, _ in
            var condition = TargetCondition()
            condition.images = true
            model.targets[0].condition = condition
        }
        let answer = await gateway.chat(headerFields: asked)
        #expect(try states(answer) == ["b ready", "a other_requests"])
        #expect(try request(answer)["upstream"] as? String == "b")
    }

    @Test func randomChoiceIsShown() async throws {
        let gateway = RoutedGateway([[.answer("a")], [.answer("b")]]) { model, _ in
            model.choice = .weighted
            model.affinity = .promptCacheKey
        }
        #expect(try object(await gateway.chat(headerFields: asked))["order_is_random"] as? Bool == true)
        let bound = await gateway.chat(extra: #","prompt_cache_key":"k""#, headerFields: asked)
        #expect(try object(bound)["order_is_random"] as? Bool == false)
    }

    @Test(arguments: RelayRoute.all) func everyRelayedRouteExplains(_ route: RelayRoute) async throws {
        let gateway = DialectGateway()
        let answer = await gateway.post("/v1" + route.path, route.body, headerFields: asked)
        #expect(answer.status == 200, "\(answer.text)")
        #expect((try request(answer)["url"] as? String)?.hasSuffix("/v1" + route.path) == true)
        #expect(gateway.sent.isEmpty)
    }

    @Test func longRequestIsExplainedWithItsBodyInAFile() async throws {
        let gateway = RoutedGateway([[.answer("a")]])
        let text = String(repeating: "long ", count: 100_000)
        let answer = await gateway.chat(extra: #","user":"\#(text)""#, headerFields: asked)
        let request = try request(answer)
        #expect((request["curl"] as? String)?.hasSuffix(" --data-binary @body.json") == true)
        #expect((request["body"] as? [String: Any])?["user"] as? String == text)
    }

    // MARK: Access and refusals

    @Test(arguments: ["/v1/chat/completions", "/v1/messages"])
    func nonAdminKeyIsRefusedWithAdvice(_ path: String) async throws {
        let running = InProcessGateway()
        let answer = await running.ask(
            .post, path, key: InProcessGateway.limitedKey, headerFields: asked,
            body: #"{"model":"plain","messages":[]}"#)
        #expect(answer.status == 403)
        #expect(answer.text.contains("admin: true"))
        #expect(answer.text.contains(#"{"type":"error""#) == (path == "/v1/messages"))
        #expect(running.transport.requests.isEmpty)
    }

    @Test func keylessGatewayExplainsToEveryone() async throws {
        let answer = await InProcessGateway(isKeyless: true).chat(headerFields: asked)
        #expect(try states(answer) == ["up ready"])
    }

    @Test func onlyCallerNeedsNoAdminKey() async throws {
        let caller = KeyConfiguration(
            name: "only", digest: KeyDigest(of: InProcessGateway.clientKey.utf8).bytes, isAdmin: false)
        let transport = PlannedTransport(.json("{}"))
        let upstream = UpstreamDefinition(
            name: "up", baseURL: BaseURL(endpoint: .tcp(host: "up.example", port: 80), pathPrefix: ""), credential: nil,
            transport: transport)
        let running = InProcessGateway(
            transport: transport, upstreams: [upstream], models: [ModelConfiguration(name: "plain", upstream: "up")],
            keys: [caller])
        #expect(await running.chat(headerFields: asked).status == 200)
    }

    @Test(arguments: ["true", "", "01", "1, 1"]) func otherValuesAreRefusedByName(_ value: String) async throws {
        let running = InProcessGateway()
        let answer = await running.chat(headerFields: [HTTPField.Name("x-headgate-explain")!: value])
        #expect(answer.status == 400 && answer.text.contains(#""param":"x-headgate-explain""#))
        #expect(running.transport.requests.isEmpty)
    }

    @Test func explainHeaderOfZeroIsIgnored() async throws {
        let running = InProcessGateway()
        _ = await running.chat(headerFields: [HTTPField.Name("x-headgate-explain")!: "0"])
        #expect(running.transport.requests.count == 1)
    }

    @Test(arguments: [
        #"{"model":"plane","messages":[]}"#, #"{"model":"lost","messages":[]}"#, #"{"model":"plain"}"#, "{",
        #"{"model":"plain","messages":[],"n":0}"#,
    ])
    func errorsEqualThoseOfTheRequest(_ body: String) async throws {
        let path = "/v1/chat/completions"
        let explained = await InProcessGateway().ask(.post, path, headerFields: asked, body: body)
        let real = await InProcessGateway().ask(.post, path, body: body)
        #expect(explained.status >= 400 && explained.status == real.status && explained.text == real.text)
    }

    // MARK: Side effects

    @Test func explanationConsumesNothing() async throws {
        let state = GatewayState()
        let gateway = RoutedGateway([[.stream("a")], [.stream("b")]], keys: 2, state: state) { model, upstreams in
            model.targets[0].breaker = BreakerConfiguration(failures: 1, cooldown: .milliseconds(1))
            upstreams[0].maximumInFlight = 1
        }
        let name = TargetName(upstream: "a", model: "m")
        state.targets.health(of: name).noteFailure(at: 1, threshold: 1, cooldown: 2)
        for _ in 0..<5 {
            let answer = await gateway.chat(headerFields: asked)
            #expect(try states(answer).first == "a half_open")
        }
        // A claimed probe would have reopened the breaker, and a used key would have moved the turn to the second key.
        #expect(state.targets.health(of: name).state(at: 1_000) == .halfOpen)
        #expect(state.targets.health(of: name).requestsInFlight == 0)
        #expect(state.targets.queue(of: "a").inFlight == 0 && state.targets.queue(of: "a").waiting == 0)
        _ = await gateway.chat()
        #expect(
            gateway.transports[0].requests.map { $0.head.headerFields[.authorization] }
                == ["Bearer sk-a-0-0123456789"])
        let status = await gateway.running.ask(.get, "/status/data")
        #expect(status.text.contains(#""requests_in_flight":0"#))
        #expect(!status.text.contains(#""recent":[]"#))
    }

    @Test func accessLogMarksExplanations() async throws {
        let running = InProcessGateway()
        _ = await running.chat(headerFields: asked)
        let line = try running.log.members()
        #expect(line["explanation"] == "1" || line["explanation"] == "true")
        #expect(line["model"] == "plain" && line["upstream"] == nil && line["upstream_status"] == nil)
        _ = await running.chat()
        #expect(try running.log.members(of: 1)["explanation"] == nil)
    }
}
