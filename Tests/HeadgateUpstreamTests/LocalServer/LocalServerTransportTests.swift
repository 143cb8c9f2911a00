import HTTPTypes
import HeadgateEventLoop
import HeadgateHTTP
import Testing

@testable import HeadgateUpstream

@Suite struct LocalServerTransportTests {
    private final class Ends: BodySink {
        private(set) var all: [String] = []
        func receive(_: UnsafeRawBufferPointer) {}
        func finish(_: BodyEnd) { all.append("finish") }
        func fail(_: any Error) { all.append("fail") }
    }

    private static var request: UpstreamRequest { request(accepting: nil) }

    private static func request(accepting type: String?) -> UpstreamRequest {
        var head = HTTPRequest(method: .post, scheme: nil, authority: "localhost", path: "/v1/x")
        head.headerFields[.accept] = type
        return UpstreamRequest(OutgoingHead(head), body: nil, operationID: "x")
    }
    private static let baseURL = BaseURL(endpoint: .tcp(host: "127.0.0.1", port: 9), pathPrefix: "/v1")

    /// Sends a request to a server on its loop, and calls the body there with the result.
    private func sending(
        _ transport: @escaping @Sendable (EventLoop) -> CannedTransport,
        reading body: @escaping @Sendable (LocalServer, HTTPBody?) -> Void
    ) async throws {
        try await withServer("exec sleep 1000") { server, _, group in
            let loop = group.loops[1]
            try await Task(executorPreference: loop) {
                let answer = try await LocalServerTransport(server: server, transport: transport(loop)).send(
                    LocalServerTransportTests.request, to: LocalServerTransportTests.baseURL)
                body(server, answer.body)
            }.value
            #expect(server.requestsInFlight == 0)
        }
    }

    @Test func requestCountsUntilItsBodyHasEnded() async throws {
        try await sending {
            CannedTransport(status: .ok, body: .stream(LoopBound(OpenBody(), on: $0)))
        } reading: { server, answer in
            guard case .stream(let body)? = answer else {
                Issue.record("no stream")
                return
            }
            #expect(server.requestsInFlight == 1)
            let ends = Ends()
            body.start(ends)
            #expect(server.requestsInFlight == 1)
            body.cancel()
            #expect(server.requestsInFlight == 0)
            body.cancel()
            #expect(server.requestsInFlight == 0, "it leaves once")
            #expect(ends.all.isEmpty)
        }
    }

    @Test(arguments: [true, false])
    func endOfTheBodyIsPassedOnAndCounts(isWhole: Bool) async throws {
        try await sending {
            CannedTransport(status: .ok, body: .stream(LoopBound(OpenBody(), on: $0)))
        } reading: { server, answer in
            guard case .stream(let body as CountedBody)? = answer else {
                Issue.record("no counted stream")
                return
            }
            let ends = Ends()
            body.start(ends)
            if isWhole { body.finish(.complete) } else { body.fail(TransportError(.truncatedBody)) }
            #expect(ends.all == [isWhole ? "finish" : "fail"])
            #expect(server.requestsInFlight == 0)
            body.discardRest()
            #expect(server.requestsInFlight == 0)
        }
    }

    @Test func unreadBodyCountsUntilItIsDropped() async throws {
        try await sending {
            CannedTransport(status: .ok, body: .stream(LoopBound(OpenBody(), on: $0)))
        } reading: { server, _ in
            #expect(server.requestsInFlight == 1)
        }
    }

    @Test func wholeBodyHasEndedAtOnce() async throws {
        try await sending { _ in
            CannedTransport(status: .ok, body: .bytes)
        } reading: { server, answer in
            #expect(server.requestsInFlight == 0)
            guard case .bytes([0x61])? = answer else {
                Issue.record("another body")
                return
            }
        }
    }

    @Test func failedRequestHasEnded() async throws {
        try await withServer("exec sleep 1000") { server, _, group in
            let transport = LocalServerTransport(server: server, transport: CannedTransport(status: .badGateway))
            await #expect(throws: TransportError(.connect, "/v1/x")) {
                try await Task(executorPreference: group.loops[1]) {
                    _ = try await transport.send(
                        LocalServerTransportTests.request, to: LocalServerTransportTests.baseURL)
                }.value
            }
            #expect(server.requestsInFlight == 0)
        }
    }

    @Test func timedOutRequestLearnsTheReason() async throws {
        try await withServer("exec sleep 1000", health: .bad) { server, _, group in
            let transport = LocalServerTransport(
                server: server, longestWait: .milliseconds(20), transport: CannedTransport(status: .ok))
            await #expect(throws: TransportError(.notReady, "the program of the upstream 'local' is starting")) {
                try await Task(executorPreference: group.loops[1]) {
                    _ = try await transport.send(
                        LocalServerTransportTests.request, to: LocalServerTransportTests.baseURL)
                }.value
            }
            #expect(server.requestsInFlight == 0)
        }
    }

    @Test(arguments: [true, false]) func onlyAStreamBeginsWhileTheProgramStarts(_ isStream: Bool) async throws {
        try await withServer("exec sleep 1000", health: .bad) { server, _, group in
            let transport = LocalServerTransport(
                server: server, longestWait: isStream ? nil : .milliseconds(50), commitsAfter: .milliseconds(1),
                transport: CannedTransport(status: .ok))
            let status = await Task(executorPreference: group.loops[1]) { () -> Int? in
                let request = LocalServerTransportTests.request(accepting: isStream ? "text/event-stream" : nil)
                let answer = try? await transport.send(request, to: LocalServerTransportTests.baseURL)
                if case .stream(let body)? = answer?.body { body.cancel() }
                return answer?.head.status
            }.value
            #expect(status == (isStream ? 200 : nil))
        }
    }

    @Test func streamThatHasBegunContinuesOnceTheProgramIsReady() async throws {
        let health = ScriptedHealth.bad
        try await withServer("exec sleep 1000", health: health) { server, _, group in
            let transport = LocalServerTransport(
                server: server, commitsAfter: .milliseconds(1), transport: CannedTransport(status: .ok, body: .bytes))
            let bytes = try await Task(executorPreference: group.loops[1]) {
                let answer = try await transport.send(
                    LocalServerTransportTests.request(accepting: "text/event-stream"),
                    to: LocalServerTransportTests.baseURL)
                health.recover()
                return try await answer.body?.collect(upTo: 100)
            }.value
            #expect(bytes == [0x61])
            #expect(server.requestsInFlight == 0)
        }
    }

    @Test func requestIsAnsweredAfterItHasWaited() async throws {
        let health = ScriptedHealth.bad
        try await withServer("exec sleep 1000", health: health) { server, events, group in
            let transport = LocalServerTransport(
                server: server, longestWait: .seconds(600), transport: CannedTransport(status: .ok, body: .bytes))
            let answer = Task(executorPreference: group.loops[1]) {
                try await transport.send(
                    LocalServerTransportTests.request, to: LocalServerTransportTests.baseURL
                ).head.status
            }
            await events.wait(for: .state(.starting))
            health.recover()
            let status = try await answer.value
            #expect(status == 200)
            #expect(server.requestsInFlight == 0)
        }
    }

    @Test(arguments: [(HTTPResponse.Status.ok, true), (.serviceUnavailable, false), (.badGateway, false)])
    func healthIsTheStatus200(status: HTTPResponse.Status, expected: Bool) async {
        let group = EventLoopGroup(count: 1)
        defer { group.stop() }
        let loop = group.loops[0]
        let check = LocalServer.healthCheck(
            path: "/health", baseURL: LocalServerTransportTests.baseURL, transport: CannedTransport(status: status))
        let isHealthy = await withCheckedContinuation { continuation in
            loop.execute { _ = check(loop) { continuation.resume(returning: $0) } }
        }
        #expect(isHealthy == expected)
    }
}
