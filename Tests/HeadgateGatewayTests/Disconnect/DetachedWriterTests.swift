import HTTPTypes
import HeadgateConfiguration
import HeadgateEventLoop
import HeadgateHTTP
import HeadgatePrimitives
import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// Contents of a detached stream's buffer.
@Suite struct DetachedWriterTests {
    private static let key = DetachedStreams.Key(id: "one", owner: KeyDigest(of: "laptop".utf8))

    private final class Source: BodySource {
        var bytesAreProgress = true
        private(set) var isCancelled = false

        func start(_: any BodySink) {}
        func pause() {}
        func resume() {}
        func note(_: BodyProgress) {}
        func discardRest() {}
        func cancel() { isCancelled = true }
    }

    /// - Parameter write: closure that receives the writer.
    /// - Returns: the text that the writer's reader receives.
    private func text(after write: (DetachedWriter) -> Void, of source: Source = Source()) throws -> String {
        let streams = Locked(DetachedStreams())
        let metadata = ServerRequestMetadata(
            connection: ConnectionEnds(localAddress: "127.0.0.1", localPort: 1, remoteAddress: "127.0.0.9"),
            bodyLength: .fixed(0), context: RequestRecord { 0 })
        let opening = DetachedStream.Opening(
            head: ServerResponseHead(HTTPResponse(status: .ok)), dialect: .openAI, model: "m"
        ) {}
        let begun = streams.withLock { $0.begin(Self.key, opening) }
        let reader = try #require(begun?.reader)
        let writer = DetachedWriter(
            Self.key, streams, StreamsConfiguration(), eventLimit: 100, .openAI, metadata)
        writer.start(source, Locked(Disconnects()))
        write(writer)
        guard case .events(let events) = streams.withLock({ $0.read(Self.key, reader) {} }).reading else { return "" }
        return String(decoding: events, as: UTF8.self)
    }

    private func send(_ text: String, to writer: DetachedWriter) {
        Array(text.utf8).withUnsafeBytes { writer.receive($0) }
    }

    @Test func unfinishedEventIsTheLast() throws {
        let text = try text(after: {
            send("data: a\n\ndata: b\n", to: $0)
            $0.finish(.complete)
        })
        #expect(text == "id: 1\ndata: a\n\nid: 2\ndata: b\n")
    }

    @Test func endlessEventIsBounded() throws {
        let source = Source()
        let text = try text(
            after: { for _ in 0..<11 { send("0123456789", to: $0) } }, of: source)
        #expect(source.isCancelled && text.hasPrefix("id: 1\ndata: {\"error\":") && text.hasSuffix("\n\n"))
    }

    @Test func errorReplacesAPartialEvent() throws {
        let text = try text(after: {
            send("data: a\n\ndata: b", to: $0)
            $0.stop(.streamStopped, .stopped)
        })
        #expect(text.hasPrefix("id: 1\ndata: a\n\nid: 2\ndata: {\"error\":"))
    }
}
