import CZlib
import HeadgateCoding
import HeadgateHTTP
import Testing

@Suite struct DecodedBodyTests {
    /// A coded body that a test pushes, and that records the calls of its consumer.
    private final class CodedSource: BodySource {
        private(set) var calls: [String] = []
        private weak var sink: (any BodySink)?
        var early: [UInt8] = []
        var bytesAreProgress = true

        func start(_ sink: any BodySink) {
            self.sink = sink
            if !early.isEmpty { send(early) }
        }

        func send(_ bytes: [UInt8]) { bytes.withUnsafeBytes { sink?.receive($0) } }
        func finish(_ end: BodyEnd = .complete) { sink?.finish(end) }
        func fail(_ kind: TransportError.Kind) { sink?.fail(TransportError(kind)) }
        func pause() { calls.append("pause") }
        func resume() { calls.append("resume") }
        func cancel() { calls.append("cancel") }
        func discardRest() { calls.append("discardRest") }
        func note(_ progress: BodyProgress) { calls.append("\(progress)") }
    }

    private final class Reader: BodySink {
        private(set) var pieces: [[UInt8]] = []
        private(set) var ends: [BodyEnd] = []
        private(set) var errors: [TransportError] = []
        /// Called with the number of pieces after each piece.
        var onPiece: (Int) -> Void = { _ in }

        var bytes: [UInt8] { pieces.reduce(into: []) { $0 += $1 } }

        func receive(_ chunk: UnsafeRawBufferPointer) {
            pieces.append(Array(chunk))
            onPiece(pieces.count)
        }

        func finish(_ end: BodyEnd) { ends.append(end) }
        func fail(_ error: any Error) { if let error = error as? TransportError { errors.append(error) } }
    }

    private let source = CodedSource()
    private let reader = Reader()
    private let body: DecodedBody

    private let turns = Turns()

    init() throws {
        body = DecodedBody(
            source, decoder: try #require(ContentDecoder(.gzip, maximumSize: 8 << 20)), scheduleTurn: turns.schedule)
    }

    /// Turns of the loop, which a test runs one by one.
    private final class Turns {
        private(set) var areDue = false

        func schedule() { areDue = true }

        func take(_ body: DecodedBody) {
            areDue = false
            body.turn()
        }

        func takeAll(_ body: DecodedBody) { while areDue { take(body) } }
    }

    private static let large = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 / 100) }

    @Test func oneFullPieceIsDecodedInATurnAndTheSourceWaits() {
        body.start(reader)
        source.send(Compressor.compress(DecodedBodyTests.large, .gzip))
        #expect(reader.pieces.map(\.count) == [64 * 1024])
        #expect(source.calls == ["pause"] && turns.areDue)
        turns.take(body)
        #expect(reader.pieces.map(\.count) == [64 * 1024, 64 * 1024])
        turns.takeAll(body)
        #expect(reader.bytes == DecodedBodyTests.large)
        #expect(source.calls == ["pause", "resume"])
    }

    @Test func chunkBetweenTwoTurnsWaitsForItsOwn() {
        let compressor = Compressor(.gzip)
        body.start(reader)
        source.send(compressor.write(DecodedBodyTests.large, flush: Z_SYNC_FLUSH))
        source.send(compressor.write(wire("more"), flush: Z_FINISH))
        source.finish()
        #expect(reader.pieces.count == 1)
        turns.takeAll(body)
        #expect(reader.bytes == DecodedBodyTests.large + wire("more"))
        #expect(reader.ends == [.complete])
    }

    @Test func turnAfterTheConsumerHasLeftDoesNothing() {
        body.start(reader)
        source.send(Compressor.compress(DecodedBodyTests.large, .gzip))
        body.cancel()
        turns.takeAll(body)
        #expect(reader.pieces.count == 1)
        #expect(source.calls == ["pause", "cancel"])
    }

    @Test func piecesAreDecodedInOrderAndAtMost64KiB() {
        body.start(reader)
        source.send(Compressor.compress(DecodedBodyTests.large, .gzip))
        source.finish(.completeThenClose)
        turns.takeAll(body)
        #expect(reader.bytes == DecodedBodyTests.large)
        #expect(reader.pieces.allSatisfy { !$0.isEmpty && $0.count <= 64 * 1024 })
        #expect(reader.ends == [.completeThenClose])
        #expect(source.calls == ["pause"])
    }

    @Test func bytesBeforeTheStartAreDecoded() {
        source.early = Compressor.compress(wire("early"), .gzip)
        body.start(reader)
        source.finish()
        #expect(reader.bytes == wire("early"))
        #expect(reader.ends == [.complete])
    }

    @Test func pauseInsideAChunkHoldsTheRestAndTheEnd() {
        let body = body
        reader.onPiece = { _ in body.pause() }
        body.start(reader)
        source.send(Compressor.compress(DecodedBodyTests.large, .gzip))
        #expect(reader.pieces.count == 1)
        #expect(source.calls == ["pause"])
        source.finish()
        var resumes = 0
        while reader.ends.isEmpty, resumes < 100 {
            let before = reader.pieces.count
            body.resume()
            resumes += 1
            #expect(reader.pieces.count <= before + 1)
        }
        #expect(reader.bytes == DecodedBodyTests.large)
        #expect(reader.ends == [.complete])
        #expect(reader.pieces.count == 5)
    }

    /// The last run of equal bytes exceeds a piece, so the decoder holds output although it has read all of its input.
    @Test(arguments: [1, 20, 40])
    func outputWithoutFurtherInputIsDelivered(beyond count: Int) throws {
        let zeros = [UInt8](repeating: 0, count: 64 * 1024 + count)
        let body = DecodedBody(
            source, decoder: try #require(ContentDecoder(.deflate, maximumSize: 1 << 20)), scheduleTurn: {})
        reader.onPiece = { _ in body.pause() }
        body.start(reader)
        source.send(Compressor.compress(zeros, .raw))
        #expect(reader.pieces.map(\.count) == [64 * 1024])
        body.resume()
        #expect(reader.bytes == zeros)
        body.resume()
        source.finish()
        #expect(reader.ends == [.complete])
    }

    @Test func chunkInFlightIsKeptDuringAPause() {
        let compressor = Compressor(.gzip)
        body.start(reader)
        source.send(compressor.write(wire("one "), flush: Z_SYNC_FLUSH))
        body.pause()
        source.send(compressor.write(wire("two "), flush: Z_SYNC_FLUSH))
        source.send(compressor.write(wire("three"), flush: Z_FINISH))
        #expect(reader.bytes == wire("one "))
        #expect(source.calls == ["pause"])
        body.resume()
        #expect(reader.bytes == wire("one two three"))
        #expect(source.calls == ["pause", "resume"])
        source.finish()
        #expect(reader.ends == [.complete])
    }

    @Test func pauseAndResumeInsideAChunkChangeNothing() {
        let body = body
        reader.onPiece = { _ in
            body.pause()
            body.resume()
        }
        body.start(reader)
        source.send(Compressor.compress(DecodedBodyTests.large, .gzip))
        source.finish()
        turns.takeAll(body)
        #expect(reader.bytes == DecodedBodyTests.large)
        #expect(reader.ends == [.complete])
    }

    @Test func cancelInsideAChunkIsFinal() {
        let body = body
        reader.onPiece = { if $0 == 2 { body.cancel() } }
        body.start(reader)
        source.send(Compressor.compress(DecodedBodyTests.large, .gzip))
        turns.takeAll(body)
        source.send(wire("more"))
        source.finish()
        #expect(reader.pieces.count == 2)
        #expect(reader.ends.isEmpty && reader.errors.isEmpty)
        #expect(source.calls == ["pause", "cancel"])
    }

    @Test func malformedDataFailsAndCancelsTheSource() {
        body.start(reader)
        source.send(Compressor.compress(wire("good"), .gzip) + wire("garbage"))
        #expect(reader.bytes == wire("good"))
        source.finish()
        #expect(reader.ends.isEmpty)
        #expect(reader.errors.map(\.kind) == [.encoding])
        #expect(source.calls == ["cancel"])
    }

    @Test func endInsideTheCodedDataIsATruncation() {
        body.start(reader)
        source.send(Compressor(.gzip).write(wire("half"), flush: Z_SYNC_FLUSH))
        source.finish()
        #expect(reader.bytes == wire("half"))
        #expect(reader.errors.map(\.kind) == [.truncatedBody])
        #expect(reader.ends.isEmpty)
    }

    @Test func sourceErrorFollowsEarlierBytes() {
        let compressor = Compressor(.gzip)
        body.start(reader)
        body.pause()
        source.send(compressor.write(wire("before"), flush: Z_SYNC_FLUSH))
        source.fail(.silenceTimeout)
        #expect(reader.errors.isEmpty)
        body.resume()
        #expect(reader.bytes == wire("before"))
        #expect(reader.errors == [TransportError(.silenceTimeout)])
    }

    @Test func bombIsStoppedAtTheLimit() {
        body.start(reader)
        // These are 9 MiB, which do not compress well enough to be suspicious.
        let block = (0..<64 * 1024).map { UInt8(truncatingIfNeeded: $0 >> 9 ^ $0 >> 5) }
        let bytes = (0..<144).reduce(into: [UInt8]()) { bytes, _ in bytes += block }
        source.send(Compressor.compress(bytes, .gzip, level: 1))
        source.finish()
        turns.takeAll(body)
        #expect(reader.pieces.reduce(0) { $0 + $1.count } == 8 << 20)
        #expect(reader.errors.map(\.kind) == [.encoding])
        #expect(reader.ends.isEmpty)
        #expect(source.calls == ["pause", "cancel"])
    }

    @Test func consumerSignalsReachTheSource() {
        body.bytesAreProgress = false
        #expect(!source.bytesAreProgress)
        #expect(!body.bytesAreProgress)
        body.start(reader)
        body.note(.underWay)
        body.discardRest()
        source.send(Compressor.compress(wire("late"), .gzip))
        source.finish()
        #expect(source.calls == ["underWay", "discardRest"])
        #expect(reader.pieces.isEmpty && reader.ends.isEmpty)
    }
}
