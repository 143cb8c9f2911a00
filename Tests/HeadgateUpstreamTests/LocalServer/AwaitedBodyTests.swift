import HTTPTypes
import HeadgateHTTP
import HeadgatePrimitives
import Testing

@testable import HeadgateUpstream

/// A body whose response has started before its server can take the request.
@Suite struct AwaitedBodyTests {
    /// A body of the server, which the test controls and which records its calls.
    private final class ServersBody: BodySource {
        private(set) var calls: [String] = []
        private var sink: (any BodySink)?
        var bytesAreProgress = true { didSet { calls.append("progress \(bytesAreProgress)") } }

        func start(_ sink: any BodySink) {
            calls.append("start")
            self.sink = sink
        }

        func pause() { calls.append("pause") }
        func resume() { calls.append("resume") }
        func cancel() { calls.append("cancel") }
        func discardRest() { calls.append("discard") }
        func note(_: BodyProgress) { calls.append("note") }

        func send(_ text: String) { Array(text.utf8).withUnsafeBytes { sink?.receive($0) } }

        func finish() {
            let sink = sink
            self.sink = nil
            sink?.finish(.complete)
        }
    }

    private final class Client: BodySink {
        private(set) var text = ""
        private(set) var ends: [String] = []

        func receive(_ chunk: UnsafeRawBufferPointer) { text += String(decoding: chunk, as: UTF8.self) }
        func finish(_ end: BodyEnd) { ends.append("\(end)") }
        func fail(_ error: any Error) { ends.append("failed") }
    }

    private let client = Client()
    private let server = ServersBody()

    private var response: Result<UpstreamResponse, TransportError> {
        .success(UpstreamResponse(ResponseHead(HTTPResponse(status: .ok)), .stream(server)))
    }

    @Test(arguments: [true, false]) func bodyIsPassedOnWheneverItsConsumerComes(_ isStartedFirst: Bool) {
        let body = AwaitedBody(cancelled: {})
        if isStartedFirst { body.start(client) }
        body.follow(response)
        if !isStartedFirst { body.start(client) }
        #expect(server.calls == ["progress true", "start"])
        server.send("a")
        server.finish()
        #expect(client.text == "a" && client.ends == ["complete"])
    }

    @Test(arguments: [true, false]) func pauseBeforeTheResponseHoldsItsBodyBack(_ isResumed: Bool) {
        let body = AwaitedBody(cancelled: {})
        body.start(client)
        body.pause()
        if isResumed { body.resume() }
        body.bytesAreProgress = false
        body.follow(response)
        #expect(server.calls == ["progress false"] + (isResumed ? [] : ["pause"]) + ["start"])
        body.pause()
        body.resume()
        body.note(.content)
        #expect(server.calls.suffix(3) == ["pause", "resume", "note"])
        server.finish()
        #expect(client.ends == ["complete"])
    }

    @Test(arguments: [true, false]) func endWithoutABodyReachesTheConsumer(_ isStartedFirst: Bool) {
        for (result, end) in [
            (.failure(TransportError(.connect)), "failed"),
            (.success(UpstreamResponse(ResponseHead(HTTPResponse(status: .ok)), nil)), "complete"),
        ] as [(Result<UpstreamResponse, TransportError>, String)] {
            let client = Client()
            let body = AwaitedBody(cancelled: {})
            if isStartedFirst { body.start(client) }
            body.follow(result)
            if !isStartedFirst { body.start(client) }
            #expect(client.ends == [end])
        }
    }

    @Test func departureEndsWhatWorks() {
        var departures = 0
        for isAnswered in [false, true] {
            for discards in [false, true] {
                let server = ServersBody()
                let body = AwaitedBody(cancelled: { departures += 1 })
                body.start(client)
                if isAnswered {
                    body.follow(.success(UpstreamResponse(ResponseHead(HTTPResponse(status: .ok)), .stream(server))))
                }
                discards ? body.discardRest() : body.cancel()
                #expect(server.calls.last == (isAnswered ? discards ? "discard" : "cancel" : nil))
                server.send("late")
                server.finish()
            }
        }
        #expect(departures == 2 && client.text.isEmpty && client.ends.isEmpty)
    }

    @Test func earlyResponseIsAStreamOfEvents() {
        let response = AwaitedBody(cancelled: {}).response
        #expect(response.isEarly && response.head.status == 200)
    }
}
