import Foundation
import HTTPTypes
import HeadgateConfiguration
import HeadgateHTTP
import HeadgatePrimitives
import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// `GET /v1/admin/requests/{number}`: who may read the content of requests, and what is stored.
@Suite struct InspectionTests {
    private static let on = InspectConfiguration(requests: 2, bodies: 2048)

    private func gateway(
        _ plans: [PlannedTransport.Plan], _ inspect: InspectConfiguration? = on, state: GatewayState = GatewayState()
    ) -> RoutedGateway { RoutedGateway(plans.map { [$0] }, state: state, inspect: inspect) }

    private func document(_ running: InProcessGateway, _ number: Int = 1) async throws -> [String: Any] {
        let answer = await running.ask(.get, "/v1/admin/requests/\(number)")
        #expect(answer.status == 200 && answer.headerFields[.cacheControl] == "no-store")
        return try #require(try JSONSerialization.jsonObject(with: Data(answer.text.utf8)) as? [String: Any])
    }

    private func member(_ document: [String: Any], _ name: String) throws -> [String: Any] {
        try #require(document[name] as? [String: Any])
    }

    private func attempts(_ document: [String: Any]) -> [[String: Any]] {
        document["attempts"] as? [[String: Any]] ?? []
    }

    @Test func contentNeedsAKeyOfAnAdministrator() async {
        let routed = gateway([.stream("a")])
        _ = await routed.chat()
        let path = "/v1/admin/requests/1"
        #expect(await routed.running.ask(.get, path, key: nil).status == 401)
        let limited = await routed.running.ask(.get, path, key: InProcessGateway.limitedKey)
        #expect(limited.status == 403 && limited.isError(code: "admin_key_needed"))
        #expect(await routed.running.ask(.get, path).status == 200)
        #expect(await routed.running.ask(.get, "/openai" + path).status == 404)
    }

    @Test func disabledInspectionStoresNothingAndReportsThat() async {
        let routed = gateway([.stream("a")], nil)
        _ = await routed.chat()
        let answer = await routed.running.ask(.get, "/v1/admin/requests/1")
        #expect(answer.status == 404 && answer.isError(code: "inspect_off"))
        #expect(!(await routed.running.ask(.get, "/status/data").text.contains("inspection")))
    }

    @Test func requestAndStreamedAnswerAreStored() async throws {
        let routed = gateway([.stream("Good ", "morning")])
        let sent = await routed.chat(extra: #","temperature":0.5"#, headerFields: [.userAgent: "agent/1"])
        #expect(await routed.running.ask(.get, "/status/data").text.contains(#""inspection":1"#))
        let document = try await document(routed.running)
        #expect(document["operation"] as? String == "createChatCompletion")
        #expect(document["path"] as? String == "/v1/chat/completions" && document["status"] as? Int == 200)
        let body = try member(document, "body")
        #expect(body["text"] as? String == #"{"model":"m","stream":true,"messages":[],"temperature":0.5}"#)
        #expect(body["cut"] as? Bool == false)
        let response = try member(document, "response")
        let pieces = try #require(response["pieces"] as? [[String: Any]])
        #expect(pieces.compactMap { $0["text"] as? String }.joined() == sent.text)
        let last = try #require(pieces.last?["at_ms"] as? Double)
        #expect(try #require(document["ended_ms"] as? Double) >= last && last > 0)
    }

    @Test func attemptsShowTheSentRequestAndTheFailure() async throws {
        let routed = RoutedGateway(
            [[.json(#"{"error":{"message":"Too slow sk-a-0-0123456789"}}"#, status: 503)], [.stream("b")]],
            inspect: InspectionTests.on)
        _ = await routed.chat()
        let attempts = attempts(try await document(routed.running))
        #expect(attempts.compactMap { $0["upstream"] as? String } == ["a", "b"])
        #expect(attempts.compactMap { $0["status"] as? Int } == [503, 200])
        #expect(attempts[1]["place"] as? String == "POST b.example/v1/chat/completions")
        let error = try member(attempts[0], "response")["text"] as? String
        #expect(error == #"{"error":{"message":"Too slow *****************"}}"#)
        #expect(attempts[1]["response"] == nil)
        let text = try #require(try member(attempts[1], "body")["text"] as? String)
        #expect(text.contains(#""include_usage":true"#))
    }

    @Test func secretsAreMasked() async throws {
        let routed = gateway([.stream("sk-a-0-0123456789")])
        _ = await routed.chat(extra: #","user":"\#(InProcessGateway.clientKey) sk-\u0061-0-0123456789""#)
        let answer = await routed.running.ask(.get, "/v1/admin/requests/1").text
        #expect(!answer.contains(InProcessGateway.clientKey) && !answer.contains("0123456789"))
        let document = try await document(routed.running)
        let headers = try #require(document["headers"] as? [[String: String]])
        #expect(headers.first { $0["name"] == "authorization" }?["value"] == "Bearer ***")
        let sent = try #require(attempts(document).first?["headers"] as? [[String: String]])
        #expect(sent.first { $0["name"] == "authorization" }?["value"] == "Bearer ***")
    }

    @Test func keysAddedAfterARequestAreMaskedInIt() async throws {
        let state = GatewayState()
        let before = gateway([.stream("sk-b-0-0123456789")], state: state)
        _ = await before.chat(extra: #","user":"sk-b-0-0123456789""#, headerFields: [.userAgent: "sk-b-0-0123456789"])
        #expect(try await document(before.running).description.contains("sk-b-0-0123456789"))
        // A reload adds the upstream that has this key.
        let after = RoutedGateway([[.answer("a")], [.answer("b")]], state: state, inspect: InspectionTests.on)
        let answer = await after.running.ask(.get, "/v1/admin/requests/1").text
        #expect(answer.contains(#""number":1"#) && !answer.contains("0123456789"))
    }

    /// Sends each request with a new key, as if a program had just printed it.
    private struct RotatingTransport: RelayTransport {
        let issued: Locked<[Secret]>
        let transport: PlannedTransport

        func send(
            _ request: UpstreamRequest, to baseURL: BaseURL, completion: @escaping UpstreamCompletion
        ) -> (any Cancellable)? {
            issued.withLock { $0 = [Secret("issued-\(transport.requests.count)-0123456789")] }
            return transport.send(request, to: baseURL, completion: completion)
        }
    }

    @Test func keysPrintedAndForgottenSinceARequestAreMaskedInIt() async {
        let issued = Locked([Secret("issued-before-0123456789")])
        let transport = PlannedTransport([
            .json(#"{"error":{"message":"issued-0-0123456789 is busy"}}"#, status: 503), .stream("issued-1-0123456789"),
        ])
        let rotating = RotatingTransport(issued: issued, transport: transport)
        let upstreams = ["a", "b"].map { name in
            UpstreamDefinition(
                UpstreamConfiguration(name: name, kind: .openai),
                baseURL: BaseURL(endpoint: .tls(host: "\(name).example", port: 443), pathPrefix: "/v1"),
                credentials: [],
                issuedKeys: IssuedKeys(known: { issued.withLock(\.self) }, status: { "ready" })
            ) { _ in rotating }
        }
        let model = ModelConfiguration(
            name: "m", targets: ["a", "b"].map { TargetConfiguration(upstream: $0) }, retry: RoutedGateway.impatient)
        let running = InProcessGateway(
            transport: transport, upstreams: upstreams, models: [model], keys: InProcessGateway.keys,
            inspect: InspectionTests.on)
        #expect(await running.chat(model: "m", stream: true).status == 200)
        issued.withLock { $0 = [Secret("issued-since-0123456789")] }
        let answer = await running.ask(.get, "/v1/admin/requests/1").text
        #expect(answer.contains(#""status":503"#) && answer.contains("is busy") && !answer.contains("0123456789"))
    }

    @Test func longBodiesAreCutAtACharacter() async throws {
        let routed = gateway([.stream(String(repeating: "ö", count: 3000))])
        _ = await routed.chat(extra: #","user":"\#(String(repeating: "ü", count: 3000))""#)
        let document = try await document(routed.running)
        for name in ["body", "response"] {
            let body = try member(document, name)
            #expect(body["cut"] as? Bool == true && body["size"] as? Int ?? 0 > 6000)
        }
        let text = try #require(try member(document, "body")["text"] as? String)
        #expect(text.utf8.count <= 2048 && text.utf8.count > 1900 && text.hasSuffix("ü"))
    }

    @Test func bytesAreNotShownAsText() throws {
        var body = CutBody([0, 1, 2], limit: 8)
        #expect(!body.isText)
        body.cut(to: 0)
        #expect(body.isCut && body.size == 3)
    }

    @Test func newerRequestsDisplaceOlderOnes() async throws {
        let routed = gateway([.answer("x")])
        for _ in 0..<3 { _ = await routed.chat(stream: false) }
        let displaced = await routed.running.ask(.get, "/v1/admin/requests/1")
        #expect(displaced.status == 404 && displaced.isError(code: "request_not_stored"))
        for number in 2...3 { _ = try await document(routed.running, number) }
        for number in ["0", "4", "x", "-1"] {
            #expect(await routed.running.ask(.get, "/v1/admin/requests/\(number)").status == 404)
        }
    }

    @Test func reloadThatTurnsItOffRemovesTheContent() async throws {
        let state = GatewayState()
        _ = await gateway([.answer("x")], state: state).chat(stream: false)
        let still = gateway([.answer("x")], state: state)
        _ = try await document(still.running)
        _ = gateway([.answer("x")], nil, state: state)
        // A request of the previous configuration ends late.
        _ = await still.chat(stream: false)
        let again = gateway([.answer("x")], state: state)
        for number in 1...2 { #expect(await again.running.ask(.get, "/v1/admin/requests/\(number)").status == 404) }
    }

    @Test func errorsOfTheGatewayAreStored() async throws {
        let routed = gateway([.failing(.connect, "connection refused")])
        _ = await routed.chat()
        let document = try await document(routed.running)
        #expect(document["status"] == nil && (document["error"] as? String)?.isEmpty == false)
        #expect(attempts(document).first?["error"] as? String == "upstream_connect")
    }

    @Test func chunksHaveTimesUpToABound() {
        var content = InspectedContent(fields: [], body: CutBody())
        for time in 1...2000 as ClosedRange<UInt64> {
            [UInt8(ascii: "a"), UInt8(ascii: "b")].withUnsafeBytes { content.append($0, at: time, limit: 3000) }
        }
        #expect(content.pieces.prefix(3).map(\.time) == [1, 2, 3] && content.pieces.prefix(3).map(\.end) == [2, 4, 6])
        #expect(content.pieces.count == 1000 && content.pieces.last?.end == 3000)
        #expect(content.response.size == 4000 && content.response.isCut)
    }

    @Test func attemptsShareTheMemoryOfTwoBodies() {
        let attempt = InspectedAttempt(
            upstream: "a", place: "POST a/v1", startedAt: 0, fields: [],
            body: CutBody([UInt8](repeating: 0x61, count: 100), limit: 100))
        var content = InspectedContent(fields: [], body: CutBody())
        let indexes = (0..<20).map { _ in content.add(attempt, limit: 100) }
        #expect(content.attempts.reduce(0) { $0 + ($1.body?.bytes.count ?? 0) } == 200)
        #expect(indexes.compactMap(\.self).count == 16)
    }
}
