import HeadgateEventLoop
import HeadgateHTTP
import HeadgateOpenAPI
import HeadgateTesting
import Testing

@testable import HeadgateServerTransport

@Suite struct PumpedBodyTests {
    /// A client that takes nothing after the first piece.
    private final class FullSink: BodySink {
        private let happened: Mailbox<String>
        private unowned let source: PumpedBody

        init(_ happened: Mailbox<String>, _ source: PumpedBody) {
            self.happened = happened
            self.source = source
        }

        func receive(_: UnsafeRawBufferPointer) { source.pause() }
        func finish(_: BodyEnd) { happened.post("finished") }
        func fail(_: any Error) { happened.post("failed") }
    }

    /// The body of a request of which nothing comes.
    private final class SilentSource: BodySource {
        private let happened: Mailbox<String>
        var bytesAreProgress = true

        init(_ happened: Mailbox<String>) { self.happened = happened }

        func start(_: any BodySink) {}
        func pause() {}
        func resume() {}
        func cancel() { happened.post("request given up") }
        func discardRest() {}
        func note(_: BodyProgress) {}
    }

    @Test func clientThatTakesNothingIsGivenUpWithItsRequest() async throws {
        let group = EventLoopGroup(count: 1)
        defer { group.stop() }
        let loop = group.loops[0]
        let happened = Mailbox<String>()
        let (chunks, more) = AsyncStream<[UInt8]>.makeStream()
        more.yield([1])
        guard case .stream(let source) = HTTPBody(chunks), let pieces = source as? any PulledBody else {
            return #expect(Bool(false), "no stream")
        }
        loop.execute {
            let request = ArrivingBody(SilentSource(happened), on: loop)
            let body = PumpedBody(pieces, on: loop, beside: request, patience: .zero)
            body.start(FullSink(happened, body))
        }
        #expect(try await happened.next(timeout: .seconds(120), "the request's end") == "request given up")
        #expect(try await happened.next(timeout: .seconds(120), "the response's end") == "failed")
    }
}
