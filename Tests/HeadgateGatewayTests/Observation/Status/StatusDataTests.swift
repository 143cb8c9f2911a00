import Foundation
import HTTPTypes
import HeadgateConfiguration
import HeadgateHTTP
import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// `GET /status/data`: access and content.
@Suite struct StatusDataTests {
    private func status(_ running: InProcessGateway) async throws -> [String: Any] {
        let answer = await running.ask(.get, "/status/data")
        #expect(answer.status == 200 && answer.headerFields[.contentType] == "application/json")
        #expect(answer.headerFields[.cacheControl] == "no-store")
        return try #require(try JSONSerialization.jsonObject(with: Data(answer.text.utf8)) as? [String: Any])
    }

    private func recent(_ status: [String: Any]) -> [[String: Any]] { status["recent"] as? [[String: Any]] ?? [] }

    private func upstream(_ status: [String: Any]) throws -> [String: Any] {
        try #require((status["upstreams"] as? [[String: Any]])?.first)
    }

    @Test func dataNeedsAKeyOfAnAdministrator() async {
        let running = InProcessGateway()
        let none = await running.ask(.get, "/status/data", key: nil)
        #expect(none.status == 401 && none.isError(code: "invalid_api_key"))
        let limited = await running.ask(.get, "/status/data", key: InProcessGateway.limitedKey)
        #expect(limited.status == 403 && limited.isError(code: "admin_key_needed"))
        #expect(!limited.text.contains("upstreams"))
        #expect(await running.ask(.get, "/status/data", key: InProcessGateway.expiredKey).status == 401)
        #expect(await running.ask(.get, "/status/data").status == 200)
        #expect(await running.ask(.get, "/v1/status/data").status == 404)
    }

    @Test func keylessGatewayReportsToEveryone() async {
        let running = InProcessGateway(isKeyless: true)
        #expect(await running.ask(.get, "/status/data", key: nil).status == 200)
    }

    @Test func ownSocketReportsToAdmittedUsers() async {
        let running = InProcessGateway()
        for (admission, expected) in [
            (ConnectionAdmission.admitted(as: "uid-1000", isOwner: true), 200),
            (.admitted(as: "uid-1001", isOwner: false), 403), (.byKey, 401), (.refused("Not you."), 403),
        ] {
            let metadata = InProcessMetadata(
                connection: ConnectionEnds(
                    localAddress: "", localPort: 0, remoteAddress: "", carrier: .unix, admission: admission),
                bodyLength: .fixed(0), context: running.record())
            let request = HTTPRequest(method: .get, scheme: "http", authority: "localhost", path: "/status/data")
            let response = await running.response(to: RequestHead(request), body: nil, metadata)
            #expect(response.head.status == expected)
        }
    }

    @Test func beforeTheFirstRequestNothingIsKnown() async throws {
        let status = try await status(InProcessGateway())
        #expect(recent(status).isEmpty && status["uptime_seconds"] as? Int == 0)
        #expect(status["version"] as? String == GatewayVersion.text)
        #expect(status["started_at"] as? String == "2027-01-15T08:00:00.123Z")
        let upstream = try upstream(status)
        #expect(upstream["name"] as? String == "up" && upstream["reachable"] is NSNull)
        #expect(upstream["last_error"] == nil)
    }

    @Test func requestIsShownWithItsFigures() async throws {
        let answer = #"{"choices":[{"finish_reason":"stop"}],"usage":{"prompt_tokens":9,"completion_tokens":4}}"#
        let running = InProcessGateway(.json(answer))
        _ = await running.chat(headerFields: [.xRequestID: "mine-1"])
        let status = try await status(running)
        let request = try #require(recent(status).first)
        #expect(request["id"] as? String == "mine-1" && request["operation"] as? String == "createChatCompletion")
        #expect(request["model"] as? String == "plain" && request["upstream"] as? String == "up")
        #expect(request["key"] as? String == "test" && request["status"] as? Int == 200)
        #expect(request["outcome"] as? String == "finished" && request["error"] == nil)
        #expect(request["stream"] as? Bool == false && request["completion_tokens"] as? Int == 4)
        #expect(request["finish_reason"] as? String == "stop" && request["upstream_status"] as? Int == 200)
        #expect(request["attempts"] == nil && request["cache"] == nil)
        #expect(request["ttft_ms"] as? Double == 1 && request["duration_ms"] as? Double == 2)
        let totals = try #require(status["totals"] as? [String: Int])
        #expect(totals["finished"] == 1 && totals["prompt_tokens"] == 9 && totals["completion_tokens"] == 4)
        #expect(try upstream(status)["reachable"] as? Bool == true)
        #expect(!String(describing: status).contains("127.0.0.9"))
    }

    @Test func failureIsShownForItsUpstream() async throws {
        let running = InProcessGateway(.failing(.connect, "connection refused"))
        _ = await running.chat()
        let status = try await status(running)
        let upstream = try upstream(status)
        #expect(upstream["reachable"] as? Bool == false)
        let error = try #require(upstream["last_error"] as? [String: Any])
        #expect(error["code"] as? String == "upstream_connect" && error["detail"] as? String == "connection refused")
        #expect(recent(status).first?["outcome"] as? String == "upstream_failed")
        #expect(recent(status).first?["detail"] as? String == "connection refused")
        #expect((status["totals"] as? [String: Int])?["upstream_failed"] == 1)
    }

    @Test func upstreamThatAnswersWithAnErrorIsReachable() async throws {
        let running = InProcessGateway(.json(#"{"error":{"message":"no"}}"#, status: 500))
        _ = await running.chat()
        let upstream = try upstream(try await status(running))
        #expect(upstream["reachable"] as? Bool == true && upstream["last_error"] is [String: Any])
    }

    @Test func streamIsInFlightUntilItsOutcome() async throws {
        let running = InProcessGateway(
            PlannedTransport.Plan(
                headerFields: [.contentType: "text/event-stream"], chunks: [Chunk.events(Chunk.content("x"))], end: nil)
        )
        _ = await running.chat(stream: true, completes: false)
        var status = try await status(running)
        #expect(status["streams_in_flight"] as? Int == 1 && status["requests_in_flight"] as? Int == 1)
        #expect(try upstream(status)["streams_in_flight"] as? Int == 1)
        _ = await running.chat(stream: true)
        status = try await self.status(running)
        #expect(status["streams_in_flight"] as? Int == 1 && recent(status).count == 1)
    }

    @Test func storedResponseIsInFlightAtTheQueriedUpstream() async throws {
        let stream = PlannedTransport.Plan(
            headerFields: [.contentType: "text/event-stream"], chunks: [Typed.events(Typed.outputText("a", 7))],
            end: nil)
        let unknown = PlannedTransport.Plan.json("{}", status: 404)
        let gateway = DialectGateway(unknown, openAI: .failing(.connect), second: stream)
        let path = "/v1/responses/resp_1?stream=true"
        _ = await gateway.running.ask(.get, path, completes: false)
        let status = try await status(gateway.running)
        #expect(status["requests_in_flight"] as? Int == 1 && status["streams_in_flight"] as? Int == 1)
        let upstreams = try #require(status["upstreams"] as? [[String: Any]])
        #expect(upstreams.map { $0["requests_in_flight"] as? Int } == [0, 1, 0, 0, 0])
        #expect(upstreams.map { $0["streams_in_flight"] as? Int } == [0, 1, 0, 0, 0])
        #expect(upstreams[0]["reachable"] as? Bool == false)
    }

    @Test func storedResponseShowsEveryQueriedUpstream() async throws {
        let gateway = DialectGateway(.json("{}", status: 404), second: .failing(.connect, "connection refused"))
        #expect(await gateway.running.ask(.get, "/v1/responses/resp_1").status == 502)
        let status = try await status(gateway.running)
        let upstreams = try #require(status["upstreams"] as? [[String: Any]])
        let found = upstreams.map { $0["reachable"] as? Bool }
        #expect(found == [true, false, nil, true, true])
        #expect(upstreams.map { $0["last_error"] != nil } == [false, true, false, false, false])
        #expect(status["requests_in_flight"] as? Int == 0 && status["streams_in_flight"] as? Int == 0)
        #expect(recent(status).first?["upstream"] as? String == "second")
    }

    @Test func pagesHealthAndModelsAreNotCounted() async throws {
        let running = InProcessGateway()
        for path in ["/", "/status", "/healthz", "/v1/models", "/status/data", "/web/chat.js"] {
            #expect(await running.ask(.get, path).status == 200)
        }
        #expect(recent(try await status(running)).isEmpty)
        _ = await running.ask(.get, "/nothing")
        _ = await running.chat(model: "unknown")
        let errors = recent(try await status(running)).map { $0["error"] as? String }
        #expect(errors == ["model_not_found", "unknown_route"])
    }
}
