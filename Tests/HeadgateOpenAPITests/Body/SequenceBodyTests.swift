import HeadgateHTTP
import HeadgateOpenAPI
import Testing

@Suite struct SequenceBodyTests {
    private struct Broken: Error {}

    private func reader(_ body: HTTPBody) throws -> any PulledBody {
        guard case .stream(let source) = body else { throw Broken() }
        return try #require(source as? any PulledBody)
    }

    @Test func sequenceEndedByCancellationIsTruncated() async throws {
        // An AsyncStream ends when the task that waits for it is cancelled, as if it were complete.
        let (chunks, more) = AsyncStream<[UInt8]>.makeStream()
        let body = try reader(HTTPBody(chunks))
        more.yield([1])
        #expect(try await body.next() == [1])
        let reading = Task { try await body.next() }
        reading.cancel()
        await #expect(throws: CancellationError.self) { _ = try await reading.value }
        // A second call throws too.
        await #expect(throws: CancellationError.self) { _ = try await body.next() }
        more.finish()
    }

    @Test func throwingSequenceStaysBroken() async throws {
        let body = try reader(HTTPBody(AsyncThrowingStream<[UInt8], any Error> { $0.finish(throwing: Broken()) }))
        for _ in 1...2 { await #expect(throws: Broken.self) { _ = try await body.next() } }
    }

    @Test func endedSequenceIsWhole() async throws {
        let body = try reader(HTTPBody(AsyncStream<[UInt8]> { $0.finish() }))
        for _ in 1...2 { #expect(try await body.next() == nil) }
    }
}
