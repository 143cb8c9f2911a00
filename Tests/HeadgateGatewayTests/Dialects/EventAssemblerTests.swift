import HeadgateConfiguration
import HeadgateHTTP
import JSONBytes
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// Framing common to the streams of every dialect, whatever their events mean.
@Suite final class EventAssemblerTests {
    /// A transform that records its calls. A document is complete at its last brace; the stream is over at `stop`.
    private final class Recorder: StreamTransform {
        var assembler = EventAssemblerTests.assembler()
        var brokenResponse: BrokenResponse { BrokenResponse() }
        var counts = StreamCounts()
        var usageDetails = UsageDetails()
        var seen: [String] = []
        var knownBytes = 0
        var isComplete = true

        func relay(_ document: UnsafeRawBufferPointer, _ name: EventName, into output: inout [UInt8]) throws {
            let text = String(decoding: document, as: UTF8.self)
            guard text.hasSuffix("}") else { throw JSONError(.endOfInput, at: document.count) }
            seen.append("\(name) \(text)")
            counts.madeProgress = true
            if text.contains("stop") { throw EventAssembler.Decided(.finished(unclean: false)) }
        }

        var namesEvents: Bool { false }

        func relayKnown(_ chunk: UnsafeRawBufferPointer, into output: inout [UInt8]) -> Int {
            defer { knownBytes = 0 }
            return min(knownBytes, chunk.count)
        }

        func receiveDone(into output: inout [UInt8]) throws {
            seen.append("done")
            throw EventAssembler.Decided(.finished(unclean: false))
        }

        func appendEnd(to output: inout [UInt8]) -> Bool {
            seen.append("end")
            return isComplete
        }
    }

    private let dialect = Recorder()

    private static func assembler() -> EventAssembler {
        let redaction = SecretRedaction(keys: [Secret(Relayed.secret)])
        return EventAssembler(errors: UpstreamErrorReading(upstream: "up", redaction: redaction), eventLimit: 1000)
    }

    private func receive(_ text: String) -> Relayed.End {
        var output: [UInt8] = []
        return Relayed.End(
            Array(text.utf8).withUnsafeBytes { dialect.receive($0, into: &output) })
    }

    private func end(_ error: (any Error)? = nil) -> Relayed.End {
        var output: [UInt8] = []
        return Relayed.End(dialect.end(error, into: &output))
    }

    @Test func eventsAreReassembledWhereverTheStreamIsCut() {
        let text =
            "data: {1}\n\nevent: message\ndata: {2}\n\nevent: error\ndata: {3}\n\nevent: x\ndata: {4}\n\n"
            + "data: {5"
        let bytes = Array(text.utf8)
        for cut in bytes.indices {
            let dialect = Recorder()
            var output: [UInt8] = []
            for piece in [bytes[..<cut], bytes[cut...]] {
                _ = piece.withUnsafeBytes { dialect.receive($0, into: &output) }
            }
            #expect(dialect.seen == ["chunk {1}", "chunk {2}", "error {3}", "foreign {4}"], "cut at \(cut)")
            #expect(dialect.assembler.hasBegun)
        }
    }

    @Test func splitDocumentIsDeliveredOnceComplete() {
        #expect(receive("data: {\"a\":\n\ndata: [1,\n\n") == .open)
        #expect(dialect.seen.isEmpty)
        #expect(receive("data: 2]}\n\n") == .open)
        #expect(dialect.seen.count == 1 && dialect.seen.first?.hasSuffix("2]}") == true)
    }

    /// Known events are recognized by their first bytes. A document in progress began in an earlier event.
    @Test func knownEventsAreSkippedUnlessADocumentIsUnderWay() {
        dialect.knownBytes = 11
        #expect(receive("data: {1}\n\ndata: {2}\n\n") == .open)
        #expect(dialect.seen == ["chunk {2}"])
        #expect(receive("data: {\n\n") == .open)
        dialect.knownBytes = 11
        #expect(receive("data: {3}\n\n") == .open)
        #expect(dialect.seen.count == 2)
    }

    @Test(arguments: ["data: {stop}\n\n", "data: [DONE]\n\n"])
    func decidedDialectIsNotCalledAgain(_ last: String) {
        #expect(receive(last + "data: {1}\n\n") == .finished)
        #expect(receive("data: {2}\n\n") == .finished && end() == .finished)
        #expect(dialect.seen.count == 1)
    }

    @Test func dialectDecidesWhetherAnEndedStreamIsComplete() {
        #expect(receive("data: {1}\n\n") == .open)
        dialect.isComplete = false
        #expect(end().code == "upstream_incomplete")
        #expect(dialect.seen == ["chunk {1}", "end"])
    }

    @Test func truncatedStreamIsCompleteOnlyBetweenEvents() {
        #expect(receive("data: {1}\n\n") == .open)
        #expect(end(TransportError(.truncatedBody)) == .finishedUncleanly)
    }

    @Test(arguments: ["data: {1}\n\ndata: {2}", "data: {1}\n\ndata: {\n\n"])
    func streamEndingInsideADocumentBypassesTheDialect(_ text: String) {
        #expect(receive(text) == .open)
        #expect(end(TransportError(.truncatedBody)).code == "upstream_incomplete")
        #expect(dialect.seen == ["chunk {1}"])
    }

    @Test func partialEventIsDistinguishedFromIgnorableBytes() {
        #expect(receive("data: {1}\n\n") == .open && dialect.counts.madeProgress)
        #expect(receive("data: {") == .open && dialect.assembler.isInsideEvent && !dialect.counts.madeProgress)
        #expect(receive("2") == .open && dialect.assembler.isInsideEvent)
        #expect(receive("}\n\n: comment\n\n") == .open && dialect.counts.madeProgress)
        #expect(receive(": comment\n\n") == .open && !dialect.assembler.isInsideEvent)
    }

    @Test func eventBeyondItsLimitEndsTheStream() {
        let long = String(repeating: "a", count: 600)
        #expect(receive("data: {\(long)\n\n") == .open)
        #expect(receive("data: \(long)}\n\n").code == "upstream_oversize_event")
        #expect(dialect.seen.isEmpty)
    }
}
