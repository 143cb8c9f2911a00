import Foundation
import HTTPTypes
import HeadgateConfiguration
import HeadgateHTTP
import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// Upstreams, their keys and the targets of models in `GET /status/data`.
@Suite struct StatusOfTargetsTests {
    private typealias Plan = PlannedTransport.Plan
    private typealias Members = [String: Any]

    private func status(_ gateway: RoutedGateway) async throws -> Members {
        let answer = await gateway.running.ask(.get, "/status/data")
        #expect(answer.status == 200 && !answer.text.contains("sk-"))
        return try #require(try JSONSerialization.jsonObject(with: Data(answer.text.utf8)) as? Members)
    }

    private func upstreams(_ status: Members) throws -> [Members] { try #require(status["upstreams"] as? [Members]) }

    private func targets(_ status: Members) throws -> [Members] {
        let model = try #require((status["models"] as? [Members])?.first)
        #expect(model["name"] as? String == "m")
        return try #require(model["targets"] as? [Members])
    }

    @Test func targetsAreListedInOrder() async throws {
        let gateway = RoutedGateway([[.stream("x")], [.stream("y")]]) { model, _ in
            model.targets[0].weight = 3
            model.targets[1].model = "inner"
        }
        let targets = try targets(await status(gateway))
        #expect(targets.map { $0["upstream"] as? String } == ["a", "b"])
        #expect(targets.map { $0["model"] as? String } == [nil, "inner"])
        #expect(targets.map { $0["weight"] as? Int } == [3, 1])
        #expect(targets.map { $0["breaker"] as? String } == ["closed", "closed"])
        #expect(targets.allSatisfy { $0["usable"] as? Bool == true && $0["open_until"] == nil && $0["ttft_ms"] == nil })
    }

    @Test func onlyModelsWithAChoiceOrABreakerAreListed() async throws {
        let plain = RoutedGateway([[.stream("x")]])
        #expect(try await status(plain)["models"] as? [Members] != nil)
        #expect((try await status(plain)["models"] as? [Members])?.isEmpty == true)
        let guarded = RoutedGateway([[.stream("x")]]) { model, _ in
            model.targets[0].breaker = BreakerConfiguration()
        }
        #expect(try targets(await status(guarded)).count == 1)
    }

    @Test func openBreakerIsShownWithItsEnd() async throws {
        let gateway = RoutedGateway([[.json("{}", status: 500)], [.stream("y")]]) { model, _ in
            model.targets[0].breaker = BreakerConfiguration(failures: 1, cooldown: .seconds(30))
        }
        #expect(await gateway.chat().status == 200)
        let status = try await status(gateway)
        let targets = try targets(status)
        #expect(targets[0]["breaker"] as? String == "open" && targets[0]["usable"] as? Bool == false)
        let text = try #require(targets[0]["open_until"] as? String)
        let (now, until) = (try #require(status["now"] as? String), try Date(text, strategy: format))
        let left = until.timeIntervalSince(try Date(now, strategy: format))
        // Each reading of the test's clock advances it by a millisecond.
        #expect(left > 29.5 && left < 30)
        #expect(targets[1]["breaker"] as? String == "closed" && targets[1]["usable"] as? Bool == true)
        #expect(try #require(targets[1]["ttft_ms"] as? Double) > 0)
    }

    private let format = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

    @Test func everyAttemptIsShown() async throws {
        let gateway = RoutedGateway([[.json("{}", status: 500), .stream("x")], [.stream("y")]]) { model, _ in
            model.targets[1].model = "inner"
        }
        _ = await gateway.chat()
        _ = await gateway.chat()
        let recent = try #require(try await status(gateway)["recent"] as? [Members])
        let attempts = try recent.map { try #require($0["attempts"] as? [Members]) }
        #expect(attempts.map { $0.map { $0["upstream"] as? String } } == [["a"], ["a", "b"]])
        #expect(attempts.map { $0.map { $0["error"] as? String } } == [[nil], ["upstream_error", nil]])
        #expect(attempts[1].map { $0["model"] as? String } == [nil, "inner"])
        #expect(attempts.joined().allSatisfy { $0["duration_ms"] is Int })
        #expect(recent.map { $0["upstream"] as? String } == ["a", "b"])
    }

    @Test func targetInFlightIsCounted() async throws {
        let gateway = RoutedGateway([
            [Plan(headerFields: Plan.events, chunks: [Plan.content("x")], end: nil)], [.stream("y")],
        ])
        _ = await gateway.running.chat(model: "m", stream: true, completes: false)
        #expect(try targets(await status(gateway)).map { $0["requests_in_flight"] as? Int } == [1, 0])
    }

    @Test func restingKeysAreCountedAndNeverShown() async throws {
        let gateway = RoutedGateway([[.json("{}", status: 429), .stream("x")]], keys: 3)
        #expect(await gateway.chat().status == 200)
        let keys = try #require(try upstreams(await status(gateway))[0]["keys"] as? [String: Int])
        #expect(keys == ["count": 3, "resting": 1])
    }

    @Test func limitIsShownWithItsWaitingRequests() async throws {
        let gateway = RoutedGateway([[.stream("x")], [.stream("y")]]) { _, upstreams in
            upstreams[0].maximumInFlight = 7
        }
        let upstreams = try upstreams(await status(gateway))
        #expect(upstreams[0]["in_flight_limit"] as? Int == 7 && upstreams[0]["waiting"] as? Int == 0)
        #expect(upstreams[1]["in_flight_limit"] == nil && upstreams[1]["waiting"] == nil)
    }

    @Test func upstreamWithoutARouteIsOffline() async throws {
        let gateway = RoutedGateway([[.failing(.unreachable)], [.stream("y")]])
        #expect(await gateway.chat().status == 200)
        let status = try await status(gateway)
        #expect(try upstreams(status).map { $0["offline"] as? Bool } == [true, false])
        #expect(try targets(status).map { $0["usable"] as? Bool } == [false, true])
    }

    @Test func onlyACheckedUpstreamHasHealth() async throws {
        let state = GatewayState()
        let gateway = RoutedGateway([[.stream("x")], [.stream("y")]], state: state) { _, upstreams in
            upstreams[0].healthCheck = HealthCheckConfiguration()
        }
        #expect(try upstreams(await status(gateway)).map { $0["healthy"] as? Bool } == [true, nil])
        state.targets.reach(of: "a").noteCheck(isHealthy: false)
        let status = try await status(gateway)
        #expect(try upstreams(status).map { $0["healthy"] as? Bool } == [false, nil])
        #expect(try upstreams(status)[1]["healthy"] is NSNull)
        #expect(try targets(status).map { $0["usable"] as? Bool } == [false, true])
    }
}
