import HTTPTypes
import HeadgateEventLoop
import HeadgateHTTP
import HeadgatePrimitives
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

@Suite struct ObservationMiddlewareTests {
    private final class Third: OutcomeObserver {
        let heard = Locked<[String]>([])

        func observe(_ outcome: inout Outcome) {
            let text = "\(outcome.method) \(outcome.operation) \(outcome.remoteAddress) \(outcome.end.rawValue)"
            heard.withLock { $0.append(text) }
        }
    }

    private func log(_ sink: CollectedLines) -> AccessLog { AccessLog(format: .json, sink: sink, realtime: { 0 }) }

    @Test func thirdObserverReceivesTheSameOutcomes() async {
        let (lines, status, third) = (CollectedLines(), StatusBoard(realtime: { 0 }), Third())
        let exchange = await Exchange(ObservationMiddleware(observers: [log(lines), status, third]), .post)
        exchange.metadata.record.facts.upstream = "up"
        #expect(third.heard.withLock { $0.isEmpty })
        exchange.metadata.record.complete(.clientGone)
        exchange.metadata.record.complete(.finished)
        #expect(third.heard.withLock { $0 } == ["POST o 127.0.0.9 client_gone"])
        #expect(lines.all.count == 1 && status.history.latest.map(\.end) == [.clientGone])
    }

    @Test func polledOperationsAreLoggedOnlyOnFailure() async {
        let ends = [(200, Outcome.End.finished), (503, .finished), (200, .clientGone)]
        for (isPolled, expected) in [(true, [503, 200]), (false, [200, 503, 200])] {
            let (lines, third) = (CollectedLines(), Third())
            for (status, end) in ends {
                let middleware = ObservationMiddleware(observers: [log(lines), third], isPolled: isPolled)
                let exchange = await Exchange(middleware)
                exchange.metadata.record.facts.status = status
                exchange.metadata.record.complete(end)
            }
            #expect(lines.all.count == expected.count)
            for (line, status) in zip(lines.all, expected) { #expect(line.contains("\"status\":\(status),")) }
            #expect(third.heard.withLock { $0.count } == 3)
        }
    }
}
