import HTTPTypes
import HeadgateConfiguration
import HeadgateEventLoop
import HeadgateHTTP
import HeadgatePrimitives
import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay
@testable import HeadgateService

@Suite(.timeLimit(.minutes(10))) struct HealthChecksTests {
    private static let name = "up"

    /// A transport that reports every check to the test, which responds to it.
    private final class Upstream: RelayTransport {
        struct Check: Sendable {
            let head: HTTPRequest
            let loop: EventLoop
            fileprivate let question: LoopBound<Question>

            /// - Parameter status: status of the response; nil for a failure.
            func answer(_ status: Int?) {
                loop.execute { question.value.answer(status) }
            }
        }

        fileprivate final class Question: Cancellable {
            private var completion: UpstreamCompletion?
            private let cancelled: Mailbox<Void>

            init(_ completion: @escaping UpstreamCompletion, cancelled: Mailbox<Void>) {
                self.completion = completion
                self.cancelled = cancelled
            }

            func answer(_ status: Int?) {
                end(
                    status.map {
                        .success(UpstreamResponse(ResponseHead(HTTPResponse(status: .init(code: $0))), nil))
                    } ?? .failure(TransportError(.connect)))
            }

            func cancel() {
                guard completion != nil else { return }
                end(.failure(TransportError(.cancelled)))
                cancelled.post(())
            }

            private func end(_ result: Result<UpstreamResponse, TransportError>) {
                let waiting = completion
                completion = nil
                waiting?(result)
            }
        }

        let checks = Mailbox<Check>()
        let cancelled = Mailbox<Void>()

        func send(
            _ request: UpstreamRequest, to _: BaseURL, completion: @escaping UpstreamCompletion
        ) -> (any Cancellable)? {
            let question = Question(completion, cancelled: cancelled)
            let loop = EventLoop.current
            checks.post(Check(head: request.wholeHead, loop: loop, question: LoopBound(question, on: loop)))
            return question
        }

        func next() async throws -> Check {
            try #require(try await checks.next(timeout: .seconds(300), "a check"))
        }
    }

    private func definition(
        _ transport: Upstream, _ check: HealthCheckConfiguration? = .init(every: .milliseconds(1)), key: String = "sk-1"
    ) throws -> UpstreamDefinition {
        var configuration = UpstreamConfiguration(
            name: HealthChecksTests.name, kind: .openai, baseURL: try UpstreamURL(parsing: "http://127.0.0.1:9/v1"))
        configuration.healthCheck = check
        let url = try #require(configuration.baseURL)
        return UpstreamDefinition(configuration, baseURL: BaseURL(url), credentials: [Secret(key)]) { _ in transport }
    }

    private func withChecks(
        patience: Duration = .seconds(60), _ body: (HealthChecks, UpstreamReach) async throws -> Void
    ) async throws {
        let group = EventLoopGroup(count: 1)
        defer { group.stop() }
        let state = GatewayState()
        let checks = HealthChecks(loop: group.loops[0], state: state, patience: patience)
        defer { checks.stop() }
        try await body(checks, state.targets.reach(of: HealthChecksTests.name))
    }

    @Test func healthCheckDecidesUntilTheNextOne() async throws {
        try await withChecks { checks, reach in
            let upstream = Upstream()
            checks.adopt([try definition(upstream)])
            var check = try await upstream.next()
            #expect(check.head.method == .get && check.head.path == "/v1/models")
            #expect(check.head.headerFields[.authorization] == "Bearer sk-1")
            #expect(reach.isHealthy, "nothing is known yet")
            for (status, isHealthy) in [(503, false), (204, true), (401, false), (200, true), (nil, false)] {
                check.answer(status)
                // The next check comes after the response has been noted.
                check = try await upstream.next()
                #expect(reach.isHealthy == isHealthy, "\(status ?? 0)")
            }
        }
    }

    @Test func anyHealthResponseEndsTheOfflineTime() async throws {
        try await withChecks { checks, reach in
            let upstream = Upstream()
            reach.noteUnreachable(at: 0)
            checks.adopt([try definition(upstream)])
            try await upstream.next().answer(nil)
            let check = try await upstream.next()
            #expect(reach.offlineUntil(at: 0) != nil)
            check.answer(503)
            _ = try await upstream.next()
            #expect(reach.offlineUntil(at: 0) == nil && !reach.isHealthy)
        }
    }

    @Test func lateHealthCheckIsUnhealthyAndNotAwaited() async throws {
        try await withChecks(patience: .milliseconds(20)) { checks, reach in
            let upstream = Upstream()
            checks.adopt([try definition(upstream)])
            let first = try await upstream.next()
            _ = try await upstream.cancelled.next(timeout: .seconds(300), "the end of the check")
            _ = try await upstream.next()
            #expect(!reach.isHealthy)
            first.answer(200)
            _ = try await upstream.next()
            #expect(!reach.isHealthy, "it came too late")
        }
    }

    @Test func reloadWithoutAChangeContinuesTheChecks() async throws {
        try await withChecks { checks, reach in
            let upstream = Upstream()
            let same = try definition(upstream)
            checks.adopt([same])
            let check = try await upstream.next()
            checks.adopt([same])
            check.answer(500)
            _ = try await upstream.next()
            #expect(!reach.isHealthy)
        }
    }

    @Test func changedUpstreamIsCheckedAfterAReload() async throws {
        try await withChecks { checks, reach in
            let (old, new) = (Upstream(), Upstream())
            checks.adopt([try definition(old)])
            try await old.next().answer(500)
            _ = try await old.next()
            checks.adopt([try definition(new, .init(path: "/health", every: .milliseconds(1)), key: "sk-2")])
            _ = try await old.cancelled.next(timeout: .seconds(300), "the end of the check")
            let check = try await new.next()
            #expect(check.head.path == "/v1/health" && check.head.headerFields[.authorization] == "Bearer sk-2")
            #expect(reach.isHealthy, "the new one has not been asked")
        }
    }

    @Test func uncheckedUpstreamIsHealthy() async throws {
        try await withChecks { checks, reach in
            let upstream = Upstream()
            checks.adopt([try definition(upstream)])
            try await upstream.next().answer(500)
            let check = try await upstream.next()
            #expect(!reach.isHealthy)
            checks.adopt([try definition(upstream, nil)])
            _ = try await upstream.cancelled.next(timeout: .seconds(300), "the end of the check")
            await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
                check.loop.execute { continuation.resume() }
            }
            #expect(reach.isHealthy)
        }
    }

    @Test func delaysAreSpread() {
        let every = Duration.seconds(10)
        let delays = (0..<1000).map { _ in CheckDelay.next(every: every) }
        #expect(delays.allSatisfy { (.seconds(9) ... .seconds(11)).contains($0) })
        #expect(delays.contains { $0 < .seconds(9.5) } && delays.contains { $0 > .seconds(10.5) })
        #expect((0..<1000).allSatisfy { _ in (.zero ... .seconds(1)).contains(CheckDelay.first(every: every)) })
    }

    @Test func programsOfTheGatewayAreNotChecked() throws {
        var configuration = UpstreamConfiguration(
            name: "up", kind: .openai, baseURL: try UpstreamURL(parsing: "http://127.0.0.1:9"))
        configuration.healthCheck = HealthCheckConfiguration()
        let url = BaseURL(endpoint: .tcp(host: "127.0.0.1", port: 9), pathPrefix: "")
        func check() -> UpstreamCheck? {
            let definition = UpstreamDefinition(configuration, baseURL: url, credentials: []) { _ in Upstream() }
            return UpstreamCheck(definition, state: TargetStates())
        }
        #expect(check() != nil)
        configuration.command = CommandConfiguration(arguments: ["sleep", "1000"], preload: true)
        #expect(check() == nil)
    }
}
