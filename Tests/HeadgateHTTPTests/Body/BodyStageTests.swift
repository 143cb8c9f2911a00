import HeadgateHTTP
import Testing

@Suite struct BodyStageTests {
    private final class Source: BodySource {
        private(set) var calls: [String] = []
        var bytesAreProgress = true { didSet { calls.append("bytesAreProgress \(bytesAreProgress)") } }
        func start(_: any BodySink) { calls.append("start") }
        func pause() { calls.append("pause") }
        func resume() { calls.append("resume") }
        func note(_ progress: BodyProgress) { calls.append("note \(progress)") }
        func discardRest() { calls.append("discardRest") }
        func cancel() { calls.append("cancel") }
    }

    private final class Sink: BodySink {
        private(set) var calls: [String] = []
        func receive(_ chunk: UnsafeRawBufferPointer) { calls.append(String(decoding: chunk, as: UTF8.self)) }
        func finish(_ end: BodyEnd) { calls.append("finish \(end)") }
        func fail(_ error: any Error) { calls.append("fail \((error as? TransportError)?.kind as Any)") }
    }

    private final class CountingStage: BodyStage {
        private(set) var ends = 0
        override func ended() { ends += 1 }
    }

    /// A stage that receives only the end.
    private final class EndStage: BodyStage {
        override var entrance: any BodySink { beyond }
        override func receive(_: UnsafeRawBufferPointer) { Issue.record("a stage that only hears the end got bytes") }
    }

    private func send(_ text: String, through stage: BodyStage) {
        Array(text.utf8).withUnsafeBytes { stage.receive($0) }
    }

    @Test func bytesAndTheEndPassUnchanged() {
        let (source, sink) = (Source(), Sink())
        let stage = CountingStage(source)
        stage.start(sink)
        send("a", through: stage)
        send("b", through: stage)
        stage.finish(.completeThenClose)
        #expect(sink.calls == ["a", "b", "finish completeThenClose"])
        #expect(source.calls == ["start"])
        #expect(stage.ends == 1)
    }

    @Test func bytesBypassStagesForTheEndOnly() {
        let sink = Sink()
        let last = BodyStage(Source())
        let middle = EndStage(last)
        let first = EndStage(middle)
        first.start(sink)
        let destination = last.beyond
        #expect(destination === sink)
        destination.receive(about: 1) { $0.append(contentsOf: "made in place".utf8) }
        destination.receive(about: 1) { _ in }
        last.finish(.complete)
        #expect(sink.calls == ["made in place", "finish complete"])
    }

    @Test func failureIsPassedOnce() {
        let sink = Sink()
        let stage = BodyStage(Source())
        stage.start(sink)
        stage.fail(TransportError(.truncatedBody))
        stage.fail(TransportError(.cancelled))
        stage.finish(.complete)
        send("late", through: stage)
        #expect(sink.calls == ["fail Optional(HeadgateHTTP.TransportError.Kind.truncatedBody)"])
    }

    @Test func consumerRequestsReachTheSource() {
        let source = Source()
        let stage = BodyStage(source)
        stage.pause()
        stage.resume()
        stage.note(.underWay)
        stage.bytesAreProgress = false
        #expect(!stage.bytesAreProgress)
        #expect(source.calls == ["pause", "resume", "note underWay", "bytesAreProgress false"])
    }

    @Test(arguments: ["cancel", "discardRest"])
    func departedConsumerIsNotCalled(_ way: String) {
        let (source, sink) = (Source(), Sink())
        let stage = CountingStage(source)
        stage.start(sink)
        if way == "cancel" { stage.cancel() } else { stage.discardRest() }
        send("late", through: stage)
        stage.finish(.complete)
        #expect(sink.calls == [])
        #expect(source.calls == ["start", way])
        #expect(stage.ends > 0 && !stage.hasSink)
    }

    @Test func wholeBodyArrivesAsOneChunk() {
        let sink = Sink()
        HTTPBody.bytes([0x61, 0x62]).source.start(sink)
        HTTPBody.bytes([]).source.start(sink)
        #expect(sink.calls == ["ab", "finish complete", "finish complete"])
    }

    @Test func cancelledWholeBodyDoesNotEnd() {
        final class Leaver: BodySink {
            var source: (any BodySource)?
            var isOver = false
            func receive(_: UnsafeRawBufferPointer) { source?.cancel() }
            func finish(_: BodyEnd) { isOver = true }
            func fail(_: any Error) { isOver = true }
        }
        let leaver = Leaver()
        let source = HTTPBody.bytes([0x61]).source
        leaver.source = source
        source.start(leaver)
        #expect(!leaver.isOver)
    }
}
