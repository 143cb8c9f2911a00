import HeadgateHTTP
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// Relayed media.
@Suite struct MediaRelayTests {
    private final class Client: BodySink {
        var pieces: [[UInt8]] = []
        var ends: [String] = []

        func receive(_ chunk: UnsafeRawBufferPointer) { pieces.append(Array(chunk)) }
        func finish(_: HeadgateHTTP.BodyEnd) { ends.append("finished") }
        func fail(_: any Error) { ends.append("failed") }
    }

    private let source = ManualBody()
    private let client = Client()
    private let record = RequestRecord { 7 }

    private func started() -> MediaRelay {
        let relay = MediaRelay(source: source, record: record)
        relay.start(client)
        return relay
    }

    @Test func everyBytePassesAsItArrives() {
        let relay = started()
        #expect(record.facts.firstContentAt == nil)
        let pieces: [[UInt8]] = [Array(0...255), [0xFF, 0xFE, 0, 0x0A], [0x80]]
        for piece in pieces {
            piece.withUnsafeBytes { relay.receive($0) }
            #expect(client.pieces.last == piece)
        }
        source.finish()
        #expect(client.pieces == pieces && client.ends == ["finished"])
        #expect(record.facts.firstContentAt == 7)
        #expect(record.facts.decidedEnd == nil)
    }

    @Test func truncatedBodyHasNoCleanEnd() {
        let relay = started()
        source.send("sound")
        source.fail(.truncatedBody)
        relay.finish(.complete)
        #expect(client.ends == ["failed"])
        #expect(record.facts.decidedEnd == .upstreamFailed && record.facts.errorCode == "upstream_incomplete")
    }

    @Test func silenceIsATimeout() {
        let relay = started()
        source.fail(.silenceTimeout)
        #expect(client.ends == ["failed"] && record.facts.decidedEnd == .timedOut)
        relay.cancel()
    }

    @Test func backPressureAndCancellationPassThrough() {
        let relay = started()
        relay.pause()
        relay.resume()
        relay.note(.content)
        relay.bytesAreProgress = false
        #expect(!source.bytesAreProgress)
        relay.cancel()
        relay.finish(.complete)
        #expect(source.calls == ["start", "pause", "resume", "content", "cancel"])
        #expect(client.ends.isEmpty)
    }
}
