import HTTPTypes
import HeadgateConfiguration
import HeadgateEventLoop
import HeadgateHTTP
import HeadgatePrimitives
import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// Two concurrent attempts at two upstreams on real sockets.
@Suite struct HedgingTests {
    private struct Pair {
        let running: RunningGateway
        let second: ScriptedUpstream
    }

    private static let stalled = UpstreamScript(always: ScriptedResponse(chunks: [], endBeforeHead: .stall))

    /// - Parameter middleware: middleware around each attempt.
    private func pair(
        _ first: UpstreamScript, _ second: UpstreamScript, _ middleware: [any UpstreamMiddleware] = [],
        living: LivingObjects? = nil
    ) throws -> Pair {
        let group = EventLoopGroup(count: 1)
        let other = try ScriptedUpstream(group: group, script: second)
        let model = ModelConfiguration(
            name: "scripted", targets: [.init(upstream: "scripted"), .init(upstream: "other")],
            hedge: HedgeConfiguration(after: .time(.milliseconds(1))))
        let running = try RunningGateway(
            first, models: [model], others: ["other": .tcp(host: "127.0.0.1", port: other.port)],
            adding: [.added("living objects", perRequest: living)]
                + middleware.map { .added("test", perAttempt: $0) })
        return Pair(running: running, second: other)
    }

    @Test(arguments: [false, true]) func fastSecondTargetAnswersForASlowFirst(_ isStream: Bool) async throws {
        let answer = isStream ? ScriptedResponse.chatStream(words: ["one", "two"]) : .chatCompletion("one two")
        let pair = try pair(Self.stalled, UpstreamScript(always: answer))
        if isStream {
            let stream = try await pair.running.openStream()
            #expect(stream.headers["x-headgate-attempts"] == "2")
            #expect(stream.headers["x-headgate-upstream"] == "other")
            #expect(try await stream.readEvents().last == "[DONE]")
        } else {
            let response = try await pair.running.ask()
            #expect(response.status == 200 && response.text.contains("one two"))
            #expect(response.headers["x-headgate-attempts"] == "2")
        }
        // The loser's connection is closed.
        _ = try await pair.running.upstream.nextPeerClosed()
        let line = await pair.running.log.next()
        #expect(line.contains(#""hedge":"won""#) && line.contains(#""upstream":"other""#), "\(line)")
        #expect(line.contains(#""error":"hedge_lost""#), "\(line)")
    }

    @Test func firstTargetCanStillWinAfterTheHedge() async throws {
        let pair = try pair(
            UpstreamScript(always: .chatStream(words: ["one"])), Self.stalled, [FirstWaitsForTheSecond()])
        let stream = try await pair.running.openStream()
        #expect(stream.headers["x-headgate-upstream"] == "scripted")
        #expect(stream.headers["x-headgate-attempts"] == "2")
        #expect(try await stream.readEvents().last == "[DONE]")
        let line = await pair.running.log.next()
        #expect(line.contains(#""hedge":"lost""#) && line.contains(#""outcome":"finished""#), "\(line)")
    }

    @Test func failureOfBothIsReportedOnce() async throws {
        let pair = try pair(
            UpstreamScript(always: .openAIError(status: 500, message: "a")),
            UpstreamScript(always: .openAIError(status: 500, message: "b")), [FirstWaitsForTheSecond()])
        let response = try await pair.running.ask()
        #expect(response.status == 500)
        let line = await pair.running.log.next()
        #expect(line.contains(#""hedge":"failed""#), "\(line)")
        #expect(pair.running.upstream.requests.count == 1 && pair.second.requests.count == 1)
    }

    @Test(arguments: [false, true]) func disconnectEndsBothAndLeavesNothing(_ isReset: Bool) async throws {
        let living = LivingObjects()
        let pair = try pair(Self.stalled, Self.stalled, [living], living: living)
        let connection = try await pair.running.client.raw(port: pair.running.port, pair.running.streamRequest)
        _ = try await pair.running.upstream.nextEvent(.requestReceived(0))
        _ = try await pair.second.nextEvent(.requestReceived(0))
        if isReset { connection.reset() } else { connection.close() }
        _ = try await pair.running.upstream.nextPeerClosed()
        _ = try await pair.second.nextPeerClosed()
        let line = await pair.running.log.next()
        #expect(line.contains(#""outcome":"client_gone""#), "\(line)")
        #expect(living.count >= 4)
        #expect(await living.areGone(from: pair.running.group), "\(living.names) are still there")
    }

    @Test func wonRaceLeavesNothing() async throws {
        let living = LivingObjects()
        let pair = try pair(
            Self.stalled, UpstreamScript(always: .chatStream(words: ["one"])), [living], living: living)
        #expect(try await pair.running.openStream().readEvents().last == "[DONE]")
        _ = await pair.running.log.next()
        #expect(await living.areGone(from: pair.running.group), "\(living.names) are still there")
    }
}

/// Holds the first attempt back until there is a second one.
private final class FirstWaitsForTheSecond: UpstreamMiddleware {
    private typealias Waiting = @Sendable () -> Void
    private let waiting = Locked<(isSecond: Bool, wake: Waiting?)>((false, nil))

    func intercept(
        _ request: UpstreamRequest, next: UpstreamNext, completion: @escaping UpstreamCompletion
    ) -> (any Cancellable)? {
        let call = PendingCall()
        func send() {
            call.wait {
                next(request) { result in
                    call.stepEnded()
                    completion(result)
                }
            }
        }
        guard let waker = next.metadata?.waker(send) else { return nil }
        let wake = waiting.withLock { waiting -> Waiting? in
            defer { waiting = (true, waiting.isSecond ? nil : waker) }
            return waiting.isSecond ? waiting.wake : nil
        }
        if let wake {
            send()
            wake()
        }
        return call
    }
}
